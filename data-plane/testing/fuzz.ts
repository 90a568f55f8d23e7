import fc from 'fast-check'

/** Stands in everything that tries to become SQL. */
export const marker = 'zqxwitness'
export const payload = fc
  .array(
    fc.constantFrom(
      `'`,
      `"`,
      '\\',
      ';',
      '--',
      '/*',
      '*/',
      '$$',
      '$1',
      ')',
      '(',
      '{',
      '}',
      ' union select ',
      '::text',
      '\0',
      '%',
      'é',
      '\n',
      `${marker}(1)`,
    ),
    { maxLength: 10 },
  )
  .map((parts) => `${marker}${parts.join('')}`)
const scalar = fc.oneof(
  payload,
  fc.constantFrom<unknown>(
    '',
    '1',
    'x',
    '{}',
    '{a,b}',
    '[1,2)',
    'NaN',
    'infinity',
    '2024-01-01',
    '{"a":1}',
    'ok',
    '\0',
    '\ud800',
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    1e300,
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.jsonValue({ maxDepth: 2 }),
)
const columns =
  'id name n big flag at uid mood tags data span bytes owner_id nodeId twice nope'.split(' ')
const operators =
  'eq neq gt lte in is like ilike startsWith regex iregex contains overlaps nope'.split(' ')
const { filter } = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(
        fc.constantFrom(...columns),
        fc.constantFrom(...operators),
        fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
      )
      .map(([column, operator, value]) => ({ [column]: { [operator]: value } })),
    fc.array(tie('filter'), { maxLength: 2 }).map((and) => ({ and })),
    tie('filter').map((not) => ({ not })),
  ),
}))
const variables = fc.record(
  {
    filter,
    order: fc.array(
      fc
        .tuple(
          fc.constantFrom(...columns),
          fc.constantFrom('AscNullsFirst', 'DescNullsLast', 'nope'),
        )
        .map(([name, way]) => ({ [name]: way })),
      { maxLength: 2 },
    ),
    first: fc.oneof(fc.constantFrom<unknown>(0, 1, 1000, -1, 2 ** 31, null), scalar),
    after: fc.oneof(
      payload,
      payload.map((text) =>
        Buffer.from(JSON.stringify({ by: ['id asc nulls last'], at: [text] })).toString('base64'),
      ),
    ),
    id: fc.oneof(
      payload,
      payload.map((text) =>
        Buffer.from(JSON.stringify(['public', 'things', text])).toString('base64'),
      ),
    ),
    row: fc.dictionary(
      fc.constantFrom(...columns),
      fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
      { maxKeys: 5 },
    ),
    text: scalar,
    json: scalar,
    ints: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  },
  { requiredKeys: [] },
)
const shown =
  'edges { cursor node { nodeId id name n big flag at uid mood tags data span bytes twice owner { name thingsCollection(first: 2) { totalCount edges { node { id } } } } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount'
const documents = fc.constantFrom(
  `query ($filter: thingsFilter, $order: [thingsOrderBy!], $first: Int, $after: Cursor) { thingsCollection(filter: $filter, orderBy: $order, first: $first, after: $after) { ${shown} } }`,
  `query ($filter: thingsFilter, $first: Int) { thingsCollection(filter: $filter, last: $first, offset: $first) { ${shown} } }`,
  'query ($id: ID!) { node(nodeId: $id) { nodeId ... on things { name twice } } }',
  `query ($text: String!, $ints: [Int], $json: JSON, $filter: thingsFilter) { f(a: $text, b: $ints, c: $json, filter: $filter) { ${shown} } }`,
  'mutation ($text: Datetime!) { g(a: $text) { id twice } }',
  'mutation ($row: thingsInsertInput!) { insertIntothingsCollection(objects: [$row]) { affectedCount records { id twice } } }',
  'mutation ($row: thingsUpdateInput!, $filter: thingsFilter, $first: Int! = 1) { updatethingsCollection(set: $row, filter: $filter, atMost: $first) { affectedCount records { id name } } }',
  'mutation ($filter: thingsFilter) { deleteFromthingsCollection(filter: $filter, atMost: 5) { affectedCount } }',
  'query ($filter: seenFilter) { seenCollection(filter: $filter) { edges { node { name } } } }',
)
const broken = fc
  .tuple(
    documents,
    fc.nat(400),
    fc.oneof(payload, fc.constantFrom('{', '"""', '...', '@skip(if: $a)', '#')),
  )
  .map(([document, at, text]) => document.slice(0, at) + text + document.slice(at))
export const graphqlBody = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(documents, variables)
      .map(([query, values]) => JSON.stringify({ query, variables: values })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(broken, variables)
      .map(([query, values]) => JSON.stringify({ query, variables: values })),
  },
  fc.json(),
  fc.string(),
)
/** Of the letters that a header can have. */
export const header = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  payload.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?')),
)
