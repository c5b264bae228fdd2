#!/usr/bin/env bash
# The compiler that forge calls: solc from npm, which needs no download. Version and standard JSON are all that forge asks for.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ "${1:-}" = --version ]; then
  echo "solc, the solidity compiler commandline interface"
  echo "Version: $(node -p 'require("solc").version().replace("Emscripten.clang", "Linux.g++")')"
else
  exec node "$here/standardJson.ts"
fi
