import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FunctionUsage } from '#contract/functions/functions'
import { latencyBounds } from '#contract/projects/project-home'
import { V1Function } from '#contract/v1/v1-functions'
import {
  FunctionCode,
  ServedFunctions,
  type FunctionTrial,
} from '#contract/functions/functions-internal'
import { keyedRef, otherRef, startKeyedPlane, type KeyedPlane } from '../../testing/keys.ts'
import { internalToken } from '../../testing/control-plane.ts'

let world: KeyedPlane
const base = `/v1/projects/${keyedRef}/functions`
const own = `/platform/projects/${keyedRef}/functions`
const tried: FunctionCode[] = []
/** As a data plane for which code starts that does not say FAILS. */
const trials = createServer((request, answer) => {
  void json(request).then((body) => {
    const code = FunctionCode.parse(body)
    tried.push(code)
    const text = Buffer.from(code.files[0]?.content ?? '', 'base64').toString()
    const trial: FunctionTrial = text.includes('FAILS')
      ? { outcome: 'failed', reason: 'SyntaxError: Unexpected token', place: 'index.ts:2:12' }
      : { outcome: 'started', reason: '' }
    answer.statusCode = text.includes('BUSY') ? 429 : text.includes('AWAY') ? 500 : 200
    answer.end(JSON.stringify(trial))
  })
})
beforeAll(async () => {
  trials.listen(0, '127.0.0.1')
  await once(trials, 'listening')
  const address = trials.address()
  if (typeof address !== 'object' || !address) throw new Error('It does not listen')
  world = await startKeyedPlane(`http://127.0.0.1:${address.port}`)
})
afterAll(async () => {
  await world?.end()
  trials.close()
})

const code = (text: string) => `Deno.serve(() => new Response('${text}'))`
const b64 = (text: string) => Buffer.from(text).toString('base64')
const asJson = (text: string, more: object = {}) => ({
  metadata: { entrypoint_path: 'index.ts' },
  file: [{ path: 'index.ts', content: b64(code(text)) }],
  ...more,
})
const deploy = (slug: string, body: object, who = world.ada) =>
  who.call('POST', `${base}/deploy?slug=${slug}`, body)

/** As command line tools send it. */
async function deployForm(slug: string, metadata: object, files: Record<string, string>) {
  const form = new FormData()
  form.set('metadata', JSON.stringify(metadata))
  for (const [path, text] of Object.entries(files)) form.append('file', new Blob([text]), path)
  const encoded = new Response(form)
  return world.plane.app.inject({
    method: 'POST',
    url: `${base}/deploy?slug=${slug}`,
    headers: {
      authorization: `Bearer ${world.ada.token}`,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
}
async function served() {
  const answer = await world.plane.app.inject({
    url: `/internal/projects/${keyedRef}/functions`,
    headers: { authorization: `Bearer ${internalToken}` },
  })
  return ServedFunctions.parse(answer.json())
}

const file = { path: 'index.ts', content: '' }
test.each<[string, string, object, number]>([
  ['a slug that begins with a digit', '1st', asJson('x'), 400],
  ['a slug with a slash', 'a%2Fb', asJson('x'), 400],
  ['no files', 'bad', asJson('x', { file: [] }), 400],
  ['a path outside', 'bad', asJson('x', { file: [{ path: '../index.ts', content: '' }] }), 400],
  ['no entry point', 'bad', asJson('x', { metadata: { entrypoint_path: 'other.ts' } }), 400],
  ['no metadata', 'bad', asJson('x', { metadata: '{' }), 400],
  ['one path twice', 'bad', asJson('x', { file: [file, file] }), 400],
  [
    'a file as a folder',
    'bad',
    asJson('x', { file: [file, { ...file, path: 'index.ts/a' }] }),
    400,
  ],
  [
    'no import map',
    'bad',
    asJson('x', { metadata: { entrypoint_path: 'index.ts', import_map_path: 'map.json' } }),
    400,
  ],
  ['bytes that are none', 'bad', asJson('x', { file: [{ ...file, content: '%%%' }] }), 400],
  [
    'too much code',
    'bad',
    asJson('x', { file: [{ ...file, content: 'A'.repeat(28_000_000) }] }),
    413,
  ],
])('%s is refused', async (_, slug, body, status) => {
  expect((await deploy(slug, body)).status).toBe(status)
  expect((await world.ada.call('GET', base)).body).toEqual([])
})

test.each([
  ['FAILS', 400, 'The function does not start. index.ts:2:12: SyntaxError: Unexpected token'],
  ['BUSY', 429, undefined],
  ['AWAY', 503, undefined],
])(
  'code that was tried and %s is refused, and nothing of it is kept',
  async (text, status, said) => {
    tried.length = 0
    const refused = await deploy('broken', asJson(text))
    expect(refused.status).toBe(status)
    if (said) expect(refused.body).toMatchObject({ message: said })
    expect(tried).toEqual([
      {
        entrypointPath: 'index.ts',
        importMapPath: null,
        files: [{ path: 'index.ts', content: b64(code(text)) }],
      },
    ])
    expect((await world.ada.call('GET', base)).body).toEqual([])
    expect((await world.ada.call('GET', `${base}/broken`)).status).toBe(404)
    await deploy('kept', asJson('one'))
    expect((await deploy('kept', asJson(text))).status).toBe(status)
    expect((await world.ada.call('GET', `${own}/kept/versions`)).body).toMatchObject([
      { version: 1, active: true },
    ])
    await world.ada.call('DELETE', `${base}/kept`)
  },
)

test('who may not deploy tries nothing', async () => {
  tried.length = 0
  expect((await deploy('broken', asJson('x'), world.memberAs('Read-only'))).status).toBe(403)
  expect((await deploy('broken', asJson('x'), world.stranger)).status).toBe(404)
  expect(tried).toEqual([])
})

test.each([
  ['Administrator', 201],
  ['Developer', 201],
  ['Read-only', 403],
] as const)('%s deploys: %i', async (role, status) => {
  const member = world.memberAs(role)
  const slug = `by-${role}`
  expect((await deploy(slug, asJson('x'), member)).status).toBe(status)
  expect((await member.call('GET', base)).status).toBe(200)
  if (status === 201) await world.ada.call('DELETE', `${base}/${slug}`)
})

test('what is not there is 404, a form where none is taken 415', async () => {
  for (const [method, path] of [
    ['GET', `${base}/nothing`],
    ['GET', `${base}/nothing/body`],
    ['PATCH', `${base}/nothing`],
    ['DELETE', `${base}/nothing`],
    ['GET', `${own}/nothing/versions`],
    ['POST', `${own}/nothing/versions/1/activate`],
  ] as const) {
    expect([path, (await world.ada.call(method, path, {})).status]).toEqual([path, 404])
  }
  const form = await world.plane.app.inject({
    method: 'POST',
    url: `/v1/projects/${keyedRef}/secrets`,
    headers: {
      authorization: `Bearer ${world.ada.token}`,
      'content-type': 'multipart/form-data; boundary=x',
    },
    payload: '--x--\r\n',
  })
  expect(form.statusCode).toBe(415)
})

test('a form makes a function, and another form a version of it that is active at once', async () => {
  const metadata = {
    name: 'Hello',
    entrypoint_path: 'supabase/functions/hello/index.ts',
    verify_jwt: false,
  }
  const files = {
    'supabase/functions/hello/index.ts': code('one'),
    'supabase/functions/_shared/a.ts': '',
  }
  const first = await deployForm('hello', metadata, files)
  expect(first.statusCode, first.body).toBe(201)
  const made = V1Function.parse(first.json())
  expect(made).toMatchObject({ slug: 'hello', name: 'Hello', version: 1, verify_jwt: false })
  const root = `/tmp/user_fn_${keyedRef}_${made.id}_1/source`
  const entrypoint_path = `file://${root}/${metadata.entrypoint_path}`
  expect(made).toMatchObject({ status: 'ACTIVE', entrypoint_path })
  // What was answered can be sent, too.
  const again = { ...metadata, entrypoint_path }
  const second = V1Function.parse((await deployForm('hello', again, files)).json())
  expect(second).toMatchObject({ id: made.id, version: 2, ezbr_sha256: made.ezbr_sha256 })

  const body = await world.plane.app.inject({
    url: `${base}/hello/body`,
    headers: { authorization: `Bearer ${world.ada.token}` },
  })
  const headers = { 'content-type': String(body.headers['content-type']) }
  const form = await new Response(new Uint8Array(body.rawPayload), { headers }).formData()
  const shown = form.getAll('file').map((part) => (part instanceof File ? part.name : ''))
  expect(shown).toEqual(Object.keys(files).sort())
})

test('what is bundled only waits until a list activates it, all of the list or nothing', async () => {
  await deploy('later', asJson('one'))
  const form = asJson('two', { bundleOnly: true })
  expect((await deploy('later', form)).body).toMatchObject({ version: 2 })
  const activeVersion = async () =>
    (await served()).functions.find(({ slug }) => slug === 'later')?.version
  expect(await activeVersion()).toBe(1)
  const wrong = [
    { slug: 'later', version: 2 },
    { slug: 'later', version: 99 },
  ]
  const put = (list: object[]) => world.ada.call('PUT', base, list)
  expect((await put(wrong)).status).toBe(404)
  expect(await activeVersion()).toBe(1)
  expect((await put(wrong.slice(0, 1))).status).toBe(200)
  expect(await activeVersion()).toBe(2)
})

test('versions stay as they are, and an older one can be activated again', async () => {
  await world.ada.call('POST', base, { slug: 'rolls', name: 'Rolls', body: code('one') })
  const again = { slug: 'rolls', name: 'Rolls', body: code('one') }
  expect((await world.ada.call('POST', base, again)).body).toMatchObject({
    code: 'function_exists',
  })
  const files = [{ path: 'index.ts', content: code('two') }]
  expect((await world.ada.call('POST', `${own}/rolls/versions`, { files })).body).toMatchObject({
    version: 2,
  })
  const back = await world.ada.call('POST', `${own}/rolls/versions/1/activate`)
  expect(back.body).toMatchObject({ version: 1 })
  const versions = await world.ada.call('GET', `${own}/rolls/versions`)
  expect(versions.body).toMatchObject([
    { version: 2, active: false },
    { version: 1, active: true, deployed_by: world.ada.email },
  ])
  const old = await world.ada.call('GET', `${own}/rolls/versions/2`)
  expect(old.body['files']).toEqual([{ ...files[0], encoding: 'utf8' }])
  const third = await world.ada.call('PATCH', `${base}/rolls`, { body: code('three'), name: 'R' })
  expect(third.body).toMatchObject({ version: 3, name: 'R' })
})

test('two deployments at once are two versions', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => deploy('race', asJson(text))))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const { body } = await world.ada.call('GET', `${own}/race/versions`)
  expect(body).toMatchObject([{ version: 3 }, { version: 2 }, { version: 1 }])
})

test('a deleted function is in the trash, comes back, and not over another one', async () => {
  await deploy('gone', asJson('old'))
  expect((await world.ada.call('DELETE', `${base}/gone`)).status).toBe(200)
  expect((await served()).functions.some(({ slug }) => slug === 'gone')).toBe(false)
  const trash = async () => {
    const { body } = await world.ada.call('GET', `/platform/projects/${keyedRef}/functions-trash`)
    return (body as unknown as { id: string; slug: string }[]).find(({ slug }) => slug === 'gone')
  }
  const path = `/platform/projects/${keyedRef}/functions-trash/${(await trash())?.id}`
  await deploy('gone', asJson('new'))
  expect((await world.ada.call('POST', path)).body).toMatchObject({ code: 'function_exists' })
  await world.ada.call('DELETE', `${base}/gone`)
  expect((await world.ada.call('POST', path)).body).toMatchObject({ slug: 'gone', version: 1 })
  expect((await world.ada.call('POST', path)).status).toBe(404)
})

test('the data plane gets code and secrets; other projects have none of it', async () => {
  await deploy('served', asJson('code'))
  await world.ada.call('POST', `/v1/projects/${keyedRef}/secrets`, [{ name: 'A', value: 'b' }])
  const now = await served()
  const databaseUrl = 'postgresql://postgres:password@localhost:5432/postgres'
  expect(now).toMatchObject({ secrets: { A: 'b' }, wallMs: 400_000, databaseUrl })
  const { versionId } = now.functions.find(({ slug }) => slug === 'served') ?? {}
  const answer = await world.plane.app.inject({
    url: `/internal/function-versions/${versionId}`,
    headers: { authorization: `Bearer ${internalToken}` },
  })
  expect(FunctionCode.parse(answer.json())).toEqual({
    entrypointPath: 'index.ts',
    importMapPath: null,
    files: [{ path: 'index.ts', content: b64(code('code')) }],
  })
  const other = await world.ada.call('GET', `/v1/projects/${otherRef}/functions`)
  expect(other.body).toEqual([])
})

test('the audit log says who deployed what', async () => {
  const rows = await world.plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'actor_email'])
    .where('action', 'like', 'functions.%')
    .execute()
  const actions = new Set(rows.map(({ action }) => action))
  expect([...actions].sort()).toEqual([
    'functions.deploy',
    'functions.remove',
    'functions.restore',
    'functions.update',
  ])
})

test('a version is downloaded as a zip', async () => {
  await deploy('packed', asJson('packed'))
  const get = (version: number, who = world.ada) =>
    world.plane.app.inject({
      url: `${own}/packed/versions/${version}/zip`,
      headers: { authorization: `Bearer ${who.token}` },
    })
  expect((await get(1, world.stranger)).statusCode).toBe(404)
  expect((await get(2)).statusCode).toBe(404)
  const answer = await get(1)
  expect(answer.headers['content-disposition']).toBe('attachment; filename="packed-1.zip"')
  // The names stand in the directory at the end as they are.
  expect(answer.rawPayload.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(answer.rawPayload.toString('latin1')).toContain('packed/index.ts')
})

test('calls are counted for each function', async () => {
  const path = `${own}/counted/usage`
  await deploy('counted', asJson('x'))
  const { id } = V1Function.parse((await world.ada.call('GET', `${base}/counted`)).body)
  expect((await world.stranger.call('GET', path)).status).toBe(404)
  expect((await world.ada.call('GET', `${own}/unknown/usage`)).status).toBe(404)
  expect((await world.ada.call('GET', `${path}?range=1y`)).status).toBe(400)
  expect((await world.ada.call('GET', path)).body).toMatchObject({ invocations: 0, p95_ms: null })
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  const histogram = Array.from({ length: latencyBounds.length + 1 }, () => 0)
  const report = (service: string, more: object) =>
    world.plane.app.inject({
      method: 'POST',
      url: '/internal/request-counts',
      headers: { authorization: `Bearer ${internalToken}` },
      payload: {
        counts: [{ ref: keyedRef, service, minute, requests: 0, errors: 0, keyed: false, ...more }],
      },
    })
  expect((await report('function:1', { histogram })).statusCode).toBe(400)
  const counts = { requests: 10, errors: 2, histogram: histogram.with(3, 9).with(9, 1) }
  const negative = { ...counts, cpuMs: -1 }
  expect((await report(`function:${id}`, negative)).statusCode).toBe(400)
  await report(`function:${id}`, { ...counts, cpuMs: 30, memoryMb: 80 })
  await report(`function:${id}`, { ...counts, cpuMs: 40, memoryMb: 60 })
  const { body } = await world.ada.call('GET', `${path}?range=1h`)
  const usage = FunctionUsage.parse(body)
  expect(usage).toMatchObject({ invocations: 20, errors: 4, p50_ms: 7.8, p95_ms: 750 })
  expect(usage.bars).toHaveLength(60)
  expect(usage.bars[0]).toMatchObject({ cpu_ms: 0, memory_mb: null })
  expect(usage.bars.filter(({ invocations }) => invocations > 0)).toMatchObject([
    { invocations: 20, errors: 4, p95_ms: 750, cpu_ms: 70, memory_mb: 80 },
  ])
})
