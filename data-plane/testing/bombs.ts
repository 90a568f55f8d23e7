import { request } from 'node:http'

const megabyte = 1024 * 1024

/**
 * What a bomb says again and again, between a beginning and an end, until it has that many bytes, all ASCII. Written into
 * memory that is not collected: millions of small texts would be collected while a test measures.
 */
function filled(bytes: number, part: (i: number) => string, [start = '', end = ''] = []): string {
  const longestPart = 1024
  const memory = Buffer.allocUnsafe(start.length + bytes + longestPart + end.length)
  let at = memory.write(start, 'latin1')
  for (let i = 0, least = at + bytes; at < least; i++) at += memory.write(part(i), at, 'latin1')
  at += memory.write(end, at, 'latin1')
  return memory.toString('latin1', 0, at)
}

/** JSON of about a size that is hard to make values of. By what is hard about it. */
export const jsonBombs = (bytes: number): Record<string, string> => ({
  'many keys': filled(bytes, (i) => `"${i.toString(36)}x":1,`, ['{', '"z":1}']),
  'keys that are numbers': filled(bytes, (i) => `"${(i * 40_000) % 4_294_967_000}":1,`, [
    '{',
    '"z":1}',
  ]),
  'one key again and again': filled(bytes, () => '"id":1,', ['{', '"id":1}']),
  'empty objects': filled(bytes, () => '{},', ['[', '{}]']),
  'rows of different keys': filled(bytes, (i) => `{"${i.toString(36)}x":1},`, ['[', '{"z":1}]']),
  'rows of the same key': filled(bytes, (i) => `{"id":${i}},`, ['[', '{"id":1}]']),
  numbers: filled(bytes, () => '1,', ['[', '1]']),
  'one long number': '1'.repeat(bytes),
  'a long text': JSON.stringify({ id: 'x'.repeat(bytes) }),
  'a text of escapes': `{"id":"${String.raw`\u0441`.repeat(bytes / 6)}"}`,
  'open brackets': '['.repeat(bytes),
  'closed brackets': '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects in objects': '{"a":'.repeat(bytes / 6) + '1' + '}'.repeat(bytes / 6),
  prototypes: filled(bytes, () => '{"__proto__":{"a":1},"constructor":{}},', ['[', '{}]']),
  'white space': `{${' '.repeat(bytes)}}`,
})

const size = megabyte - 4096

/** GraphQL documents that are hard to read, check or plan. */
export const graphqlBombs: Record<string, string> = {
  'many fields': `{${'__typename '.repeat(90_000)}}`,
  'the same field as often as a document may have': `{${'__typename '.repeat(499)}}`,
  'aliases of one name with different fields': `{${'a: __typename '.repeat(499)}}`,
  'fields inside each other': `{${'a{'.repeat(5000)}`,
  'the same field inside each other': `{ __schema {${'types { fields { name } } '.repeat(160)}} }`,
  'fragments that name each other': `{...f0} ${filled(14_000, (i) => `fragment f${i} on Query {...f${i + 1} ...f${i + 1}} `)}`,
  'fragments with the same fields': `{${filled(3000, (i) => `...f${i} `)}} ${filled(14_000, (i) => `fragment f${i} on Query {__typename a: __typename} `)}`,
  'variables that nobody uses': `query (${filled(40_000, (i) => `$v${i}: Int `)}) {__typename}`,
  directives: `{ __typename ${'@include(if: true) '.repeat(2900)} }`,
  'lists in lists': `{ a(b: ${'['.repeat(7000)}${']'.repeat(7000)}) }`,
  'a long comment': `#${'x'.repeat(size)}\n{__typename}`,
  'a long text': `{ a(b: "${'x'.repeat(size)}") }`,
  'operations of one name': filled(60_000, () => 'query a {__typename} '),
}

export const csvBombs = (bytes: number): Record<string, string> => ({
  'many columns': filled(bytes, (i) => `c${i},`),
  'many lines': filled(bytes, (i) => `${i}\n`, ['id\n']),
  'many cells': `${'a,'.repeat(1000)}\n${filled(bytes, () => `${'1,'.repeat(1000)}\n`)}`,
  quotes: `id\n"${'""'.repeat(bytes / 2)}"`,
  'an open quote': `id\n"${'x'.repeat(bytes)}`,
})

export const formBombs = (bytes: number): Record<string, string> => ({
  'many fields': filled(bytes, (i) => `a${i}=1&`),
  'one field again and again': filled(bytes, () => 'a=1&'),
  separators: '&'.repeat(bytes),
  percents: `a=${'%41'.repeat(bytes / 3)}`,
})

export type Reply = { status: number; text: string }

/** Sends bytes without making anything of them or of the answer, since sender and server share a thread. */
export const send = (url: string, headers: Record<string, string>, body: Buffer, method = 'POST') =>
  new Promise<Reply>((done, fail) => {
    const asked = request(url, {
      method,
      // A refusal may end its connection.
      agent: false,
      headers: { ...headers, 'content-length': body.length },
      // Answers say an address again, and spell it in more bytes.
      maxHeaderSize: 256 * 1024,
    })
    asked.on('response', (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      )
      answer.on('error', fail)
    })
    asked.on('error', fail)
    asked.end(body)
  })
