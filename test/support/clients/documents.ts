import { globSync, readFileSync } from 'node:fs'

/** A fenced code block of a document. */
export type CodeBlock = Readonly<{ document: string; language: string; text: string }>

/** All documents for readers: README and others at the top level, and all of docs. */
export const documents: readonly string[] = [...globSync('*.md'), ...globSync('docs/*.md')].sort()

export const readDocument = (path: string): string => readFileSync(path, 'utf8')

/** The code blocks of a language, from one document or from all. */
export const codeBlocks = (
  language: string,
  paths: readonly string[] = documents,
): readonly CodeBlock[] =>
  paths.flatMap((document) =>
    [...readDocument(document).matchAll(/^```(\w+)\n(.*?)^```$/gms)]
      .map(([, found = '', text = '']) => ({ document, language: found, text }))
      .filter((block) => block.language === language),
  )
