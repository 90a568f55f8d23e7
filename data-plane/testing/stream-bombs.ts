const megabyte = 1024 * 1024

/** XML of about a megabyte that is hard to make values of, as lists of objects to be deleted. */
export const xmlBombs: Record<string, string> = {
  'many objects': `<Delete>${'<Object><Key>a</Key></Object>'.repeat(megabyte / 29)}</Delete>`,
  'empty elements': `<Delete>${'<a/>'.repeat(megabyte / 4)}</Delete>`,
  'elements of many names': `<Delete>${numbered(140_000, (i) => `<a${i}/>`)}</Delete>`,
  'elements inside each other': '<Delete>'.repeat(megabyte / 8),
  'closed elements inside each other': '<a>'.repeat(150_000) + '</a>'.repeat(150_000),
  'many attributes': `<Delete ${numbered(80_000, (i) => `a${i}="" `)}/>`,
  'one attribute again and again': `<Delete ${'a="" '.repeat(megabyte / 5)}/>`,
  'many entities': `<Delete><Object><Key>${'&amp;'.repeat(megabyte / 5)}</Key></Object></Delete>`,
  'numbers of characters': `<Delete><Object><Key>${'&#65;'.repeat(megabyte / 5)}</Key></Object></Delete>`,
  'entities that do not end': `<Delete>${'&a'.repeat(megabyte / 2)}</Delete>`,
  'open brackets': '<'.repeat(megabyte),
  'open comments': '<!--'.repeat(megabyte / 4),
  'open data sections': `<Delete>${'<![CDATA['.repeat(megabyte / 9)}`,
  'open instructions': '<?'.repeat(megabyte / 2),
  'a long text': `<Delete>${'x'.repeat(megabyte)}</Delete>`,
  'white space': `<Delete ${' '.repeat(megabyte)}/>`,
  'a document type': `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(60_000)}]><a/>`,
}

/** SQL that is hard to split, read or lay out. */
export const sqlBombs: Record<string, string> = {
  'many statements': 'select 1;'.repeat(megabyte / 9),
  'comments inside each other': '/*'.repeat(megabyte / 2),
  'closed comments inside each other': `${'/*'.repeat(10_000)}${'*/'.repeat(10_000)} select 1`,
  'many comments': 'select /**/ 1 -- a\n'.repeat(50_000),
  'open parentheses': `select ${'('.repeat(megabyte)}`,
  'parentheses inside each other': `select ${'('.repeat(5000)}1${')'.repeat(5000)}`,
  'a long sum': `select ${'1+'.repeat(megabyte / 2)}1`,
  'a long list': `select ${'1,'.repeat(megabyte / 2)}1`,
  'many rows': `insert into a values ${'(1),'.repeat(megabyte / 4)}(1)`,
  'many conditions': `select 1 where ${'a and '.repeat(megabyte / 6)}a`,
  'casts of casts': `select 1${'::int'.repeat(megabyte / 5)}`,
  'cases inside each other': `select ${'case when a then '.repeat(20_000)}1${' end'.repeat(20_000)}`,
  'queries inside each other': `select ${'(select '.repeat(20_000)}1${')'.repeat(20_000)}`,
  'many unions': `select 1${' union select 1'.repeat(60_000)}`,
  'many joins': `select * from a${' join a on true'.repeat(60_000)}`,
  'open dollar quotes': numbered(140_000, (i) => `$a${i}$`),
  'quotes in quotes': `select '${"''".repeat(megabyte / 2)}'`,
  'open quotes': "select 'a' \"".repeat(megabyte / 12),
  semicolons: ';'.repeat(megabyte),
  parameters: `select ${numbered(140_000, (i) => `$${i},`)}1`,
  'named parameters': `select ${numbered(120_000, (i) => `:a${i},`)}1`,
  'a long name': `select ${'x'.repeat(megabyte)}`,
  'white space': `select ${' '.repeat(megabyte)}1`,
}

/** Forms of an upload, by what is hard about them. */
export const multipartBombs = (boundary: string): Record<string, string> => {
  const line = `--${boundary}\r\n`
  const field = (name: string, value = '') =>
    `${line}content-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  return {
    'many fields': numbered(20_000, (i) => field(`a${i}`)),
    'parts without a head': `${line}\r\n\r\n`.repeat(40_000),
    'many headers of a part': `${line}${numbered(60_000, (i) => `a${i}: b\r\n`)}\r\n\r\n`,
    'a long header of a part': `${line}content-disposition: form-data; name="${'x'.repeat(megabyte)}"\r\n\r\n`,
    'many parameters of a header': `${line}content-disposition: form-data${numbered(120_000, (i) => `; a${i}=b`)}\r\n\r\n`,
    'beginnings of a boundary': `${field('a')}${`\r\n--${boundary.slice(0, -1)}`.repeat(40_000)}`,
    'a file that does not end': `${line}content-disposition: form-data; name="file"; filename="a"\r\n\r\n${'x'.repeat(megabyte)}`,
    'line ends': `${field('a')}${'\r\n'.repeat(megabyte / 2)}`,
    'a long field': field('metadata', 'x'.repeat(megabyte)),
  }
}

function numbered(count: number, part: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => part(i)).join('')
}
