import { globSync, readFileSync } from 'node:fs'

/** A fenced block of a document. */
export type CodeBlock = Readonly<{ document: string; language: string; text: string }>

/** Every document for readers: README and the like at the top, and all of docs. */
export const documents: readonly string[] = [...globSync('*.md'), ...globSync('docs/*.md')].sort()

export const readDocument = (path: string): string => readFileSync(path, 'utf8')

/** The fenced blocks of a language, of one document or of all. */
export const codeBlocks = (
  language: string,
  paths: readonly string[] = documents,
): readonly CodeBlock[] =>
  paths.flatMap((document) =>
    [...readDocument(document).matchAll(/^```(\w+)\n(.*?)^```$/gms)]
      .map(([, found = '', text = '']) => ({ document, language: found, text }))
      .filter((block) => block.language === language),
  )
