import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataPlaneApi } from '#contract/data-plane-api'
import { FunctionTrial } from '#contract/functions/functions-internal'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

const internalToken = 'a token that only our own programs know'
let plane: FunctionPlane
beforeAll(async () => {
  plane = await startFunctionPlane({ bootMs: 5000 })
})
afterAll(() => plane?.close())

const ask = (files: Record<string, string>, ref = plane.project.ref, token = internalToken) =>
  fetch(`${new URL(plane.url).origin}${dataPlaneApi.functionTrial.path.replace(':ref', ref)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      entrypointPath: 'index.ts',
      importMapPath: null,
      files: Object.entries(files).map(([path, text]) => ({
        path,
        content: Buffer.from(text).toString('base64'),
      })),
    }),
  })
const tried = async (files: Record<string, string>) =>
  FunctionTrial.parse(await (await ask(files)).json())

test('strangers try nothing, and of a project that is not there nothing is tried', async () => {
  expect((await ask({}, undefined, 'x')).status).toBe(401)
  expect(await (await ask({}, 'z'.repeat(20))).json()).toMatchObject({ outcome: 'not_tried' })
})

const serves = "Deno.serve(() => new Response('hello'))"
test.each([
  ['serves', { 'index.ts': serves }],
  ['is of several files', { 'index.ts': `import './lib/other.ts'\n${serves}`, 'lib/other.ts': '' }],
  ['has a default export', { 'index.ts': 'export default { fetch: () => new Response() }' }],
])('what %s starts', async (_, files) => {
  expect(await tried(files)).toEqual({ outcome: 'started', reason: '' })
})

test.each<[string, Record<string, string>, RegExp, string | undefined]>([
  [
    'what does not parse',
    { 'index.ts': `${serves}\nconst x = {{ 1` },
    /^SyntaxError: Unexpected token .{3}\. Expected identifier[^|]*$/,
    'index.ts:2:12',
  ],
  [
    'another file that does not parse',
    { 'index.ts': "import './lib/a b.ts'", 'lib/a b.ts': '\n\n  let let = 1' },
    /^SyntaxError: .*let is reserved[^|]*$/,
    'lib/a b.ts:3:7',
  ],
  [
    'what throws',
    { 'index.ts': "\nthrow new TypeError('no start')" },
    /^TypeError: no start$/,
    'index.ts:2:7',
  ],
  ['what throws a text', { 'index.ts': "throw 'no start'" }, /no start/, undefined],
  [
    'a file that is not there',
    { 'index.ts': "import './other.ts'" },
    /^Module not found .file:...other.ts.\.$/,
    'index.ts:1:8',
  ],
  [
    'what says something odd',
    { 'index.ts': "throw new Error('file:///%zz:1:1' + '\\n'.repeat(100))" },
    /^Error/,
    '%zz:1:1',
  ],
  [
    'what does not serve',
    { 'index.ts': 'export const a = 1' },
    /^It did not call Deno.serve in time$/,
    undefined,
  ],
  [
    'what ends itself',
    { 'index.ts': 'Deno.exit(3)' },
    /^It ended before it served .exit 3.$/,
    undefined,
  ],
  [
    'what never comes to serve',
    { 'index.ts': 'await new Promise(() => setInterval(() => {}, 1000))' },
    /^It did not call Deno.serve in time$/,
    undefined,
  ],
])('%s is refused with what it says and where', async (_, files, reason, place) => {
  const trial = await tried(files)
  expect(trial).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(reason) })
  expect(trial.place).toBe(place)
  expect(trial.reason).not.toMatch(/plinth-fn|\/tmp/)
})
