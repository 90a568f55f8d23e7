import type { Difference } from './peer-differences.ts'

/** A difference that is as it should be. */
type Known = { name: string; reason: string; fits: (difference: Difference) => boolean }

const request =
  (pattern: RegExp) =>
  ({ asked }: Difference): boolean =>
    pattern.test(asked.request)
const inBody =
  (pattern: RegExp) =>
  ({ part, ours }: Difference): boolean =>
    part === 'body' && pattern.test(JSON.stringify(ours))
const codes = ({ part, ours, theirs }: Difference, mine: string, other: string): boolean =>
  part === 'body' &&
  JSON.stringify(ours).includes(`"${mine}"`) &&
  JSON.stringify(theirs).includes(`"${other}"`)

/** All in which we differ from version 12.0.2; "14" is that version, whose protocol is ours. */
export const known: readonly Known[] = [
  {
    name: 'letters of Content-Location',
    reason:
      'the same address: 12 escapes letters that need not be, and joins values of a name that repeats',
    fits: ({ part, ours, theirs }) =>
      part === 'content-location' &&
      [ours, theirs].every((value) => typeof value === 'string') &&
      spelled(ours) === spelled(theirs).replace('gt.1,lt.4', 'gt.1&id=lt.4'),
  },
  {
    name: 'names beyond ASCII in addresses',
    reason: '12 takes their bytes for letters and escapes them a second time',
    fits: (d) => d.part === 'content-location' && request(/%C3%9C/)(d),
  },
  {
    name: 'spaces in Location',
    reason: 'an address has none; 12 leaves them as they are',
    fits: ({ part, ours, theirs }) =>
      part === 'location' && ours === String(theirs).replace('odd names', 'odd%20names'),
  },
  {
    name: 'the key of a relation that refers to itself',
    reason: '12 finds nothing by the name of the key or the column referred to',
    fits: request(/shops!shops_head_id_fkey|shops!id|select=name,shops_head_id_fkey/),
  },
  {
    name: 'conditions on functions',
    reason: '12 only knows the columns that are selected',
    fits: request(
      /^GET \/rpc\/(?:books_of\?author=2&pages|places\?select=street&order|nested\?kept)/,
    ),
  },
  {
    name: 'a list for an argument of any number',
    reason: 'ours reads an array as a whole',
    fits: request(/words=\{a,b\}$/),
  },
  {
    name: 'OPTIONS of a function',
    reason: '12 asks for the arguments of a call',
    fits: request(/^OPTIONS \/rpc\/add/),
  },
  {
    name: 'CSV without rows',
    reason: 'nothing, or the end of a line without letters',
    fits: ({ part, ours, theirs }) => part === 'body' && ours === '' && theirs === '\n',
  },
  {
    name: 'not one object',
    reason: '14 says it in other words, and sends one content type',
    fits: ({ part, ours, theirs }) =>
      part === 'content-type'
        ? String(theirs).startsWith(`${String(ours)}, application/vnd.pgrst.object+json`)
        : JSON.stringify(ours).includes('"PGRST116"') &&
          JSON.stringify(theirs).includes('"PGRST116"'),
  },
  {
    name: 'the type of an array',
    reason: 'who asks for an array by its type gets that type, and one row in an array',
    fits: ({ asked, part }) =>
      asked.headers?.['accept']?.startsWith('application/vnd.pgrst.array+json') === true &&
      (part === 'content-type' || /one_book/.test(asked.request)),
  },
  {
    name: 'a space in content types',
    reason: 'it says nothing',
    fits: ({ part, ours, theirs }) =>
      part === 'content-type' &&
      String(ours).replaceAll(' ', '') === String(theirs).replaceAll(' ', ''),
  },
  {
    name: '406 for types that cannot be had',
    reason: '14; 12 says 415',
    fits: ({ part, ours, theirs }) => part === 'status' && ours === 406 && theirs === 415,
  },
  {
    name: 'a schema that is not exposed',
    reason: '14 says it in other words',
    fits: inBody(/"PGRST106"/),
  },
  {
    name: 'Content-Profile without a body',
    reason: 'every answer says which schema it is about',
    fits: ({ part, ours, theirs }) =>
      part === 'content-profile' && theirs === null && ['public', 'other'].includes(String(ours)),
  },
  {
    name: 'a function that returns nothing',
    reason: '204 has no rows to count',
    fits: (d) => d.part === 'content-range' && request(/nothing_at_all|cookies/)(d),
  },
  {
    name: 'a table that is not there',
    reason: '14 knows by its schema cache, and has a hint',
    fits: (d) => codes(d, 'PGRST205', '42P01') || (inBody(/PGRST205/)(d) && request(/^POST/)(d)),
  },
  {
    name: 'the grant that is missing',
    reason: 'ours says it in the hint',
    fits: (d) =>
      inBody(/"42501".*"Grant it with: /)(d) && withoutHint(d.ours) === withoutHint(d.theirs),
  },
  {
    name: 'an address that is none',
    reason: '14 has a code for it; 12 no body',
    fits: inBody(/"PGRST125"/),
  },
  {
    name: 'what the parser expected',
    reason: 'the code is the protocol; the words are those of each parser',
    fits: (d) => codes(d, 'PGRST100', 'PGRST100'),
  },
  {
    name: 'limits that are no numbers',
    reason: 'ours refuses them, 12 takes them for none',
    fits: request(/limit=x/),
  },
  {
    name: 'other conditions on an embed',
    reason: '14 has a code for it; 12 looks for a column',
    fits: (d) => codes(d, 'PGRST120', '42703'),
  },
  {
    name: 'JSON that cannot be read',
    reason: 'ours says where',
    fits: (d) => codes(d, 'PGRST102', 'PGRST102') && inBody(/Empty or invalid json/)(d),
  },
  {
    name: 'columns that are not there',
    reason: '14 says it in other words, for on_conflict too',
    fits: (d) => codes(d, 'PGRST204', 'PGRST204') || codes(d, 'PGRST204', '42703'),
  },
  {
    name: 'columns= without a name',
    reason: 'ours takes it for no restriction',
    fits: request(/columns=$/),
  },
  {
    name: 'bodies that are no rows',
    reason: 'ours refuses what 12 takes for no row, or for the first of several',
    fits: ({ asked }) =>
      asked.body === 5 ||
      (Array.isArray(asked.body) && asked.body.length !== 0 && asked.request.startsWith('PATCH ')),
  },
  {
    name: 'a PUT of no row',
    reason: '12 fails at a column that its list of nothing does not have',
    fits: (d) => request(/^PUT /)(d) && Array.isArray(d.asked.body) && d.asked.body.length === 0,
  },
  {
    name: 'max-affected',
    reason: '12 does not know it',
    fits: inBody(/PGRST124/),
  },
  {
    name: 'content types of a body',
    reason: '415 is what is wrong; 12 says 400',
    fits: ({ asked, part }) =>
      part === 'status' && asked.headers?.['content-type'] === 'text/unknown',
  },
  {
    name: 'a row that is put twice',
    reason: 'the status of class 21 is 500 in 14',
    fits: (d) => d.part === 'status' && request(/^PUT /)(d) && d.ours === 500 && d.theirs === 400,
  },
  {
    name: 'the limits of a program',
    reason: 'the status of class 54 is 500 in 14',
    fits: ({ asked, part }) => part === 'status' && JSON.stringify(asked).includes('54000'),
  },
  {
    name: 'tokens that cannot be read',
    reason: '14 says it in other words, and refuses an empty one',
    fits: ({ asked }) => asked.headers?.['authorization']?.startsWith('Bearer') === true,
  },
  {
    name: 'order by a spread column of another name',
    reason: '12 looks for the name that it has no more',
    fits: request(/authors\(writer:name\)/),
  },
  {
    name: 'a junction and a view of it',
    reason: 'ours means the table as long as no hint names the view; 12 finds it ambiguous',
    fits: request(/^GET \/shops(?:_view)?\?select=name,books(?:_view)?\(title\)/),
  },
  {
    name: 'a spread without columns',
    reason: 'ours takes it for a condition, as an embed without columns; 12 fails',
    fits: request(/\.\.\.authors\(\)/),
  },
  {
    name: 'a text as the JSON of an argument',
    reason: '12 forgets it',
    fits: ({ asked }) => asked.body === '"a text"',
  },
  {
    name: 'JSON in CSV',
    reason: '12 has a space behind colons',
    fits: ({ part, ours, theirs }) =>
      part === 'body' && String(theirs).replaceAll('"": ""', '"":""') === ours,
  },
  {
    name: 'headers of a page behind the last',
    reason: 'a refusal says nothing of what was not done',
    fits: (d) => request(/offset=10$/)(d) && d.ours === null && d.part !== 'content-range',
  },
]

const spelled = (address: unknown): string => decodeURIComponent(String(address))

/** A body of an error without its hint. */
function withoutHint(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('hint' in body)) return undefined
  const rest = Object.entries(body).filter(([name]) => name !== 'hint')
  return JSON.stringify(rest.toSorted(([a], [b]) => a.localeCompare(b)))
}
