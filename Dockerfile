# docker build --target production -t crossquote .        for real chains, which CONFIG names
# docker build --target devnet -t crossquote:devnet .     with four local chains beside, as `npm start` has them
# The base image brings Node.js, so the package `node` is left out. anvil, and all else that only the devnet uses, are optional
# dependencies, and in its target only.

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm pkg delete optionalDependencies.node

FROM packages AS production-packages
RUN npm install --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
 && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM packages AS devnet-packages
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund \
 && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-slim AS devnet-sources
WORKDIR /app
COPY src ./src
RUN find src -name '*.test.ts' -delete

FROM devnet-sources AS production-sources
RUN rm -rf src/devnet src/cli/demo src/cli/demo/demo.ts

FROM node:24-slim AS base
WORKDIR /app
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIRECTORY=/data LOG_FORMAT=json
VOLUME /data
EXPOSE 4000
USER node
# A process of any role answers here once it can do its work.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--expose-gc", "--max-semi-space-size=16", "--heap-growing-percent=100", "--no-flush-bytecode", "src/main.ts"]

FROM base AS devnet
COPY --from=devnet-packages /app ./
COPY --from=devnet-sources /app ./

FROM base AS production
COPY --from=production-packages /app ./
COPY --from=production-sources /app ./
