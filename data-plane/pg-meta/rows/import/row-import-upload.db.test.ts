import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Import, ImportState, importUpload } from '#contract/database/table-transfer'
import { startDataPlane, testRef, type TestDataPlane } from '../../../testing/data-plane.ts'
import { fileOf } from '../../../testing/pg-meta/transfer.ts'
import { uploadToken } from './row-import-upload.ts'

const secret = 'a token that only our own programs know'
const text = `id,name\n${Array.from({ length: 300 }, (_, i) => `${i},Ä 🙂 ${i}\n`).join('')}`
const file = Buffer.from(text)

let plane: TestDataPlane
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-imports-'))
  const imports = { folder, reservedBytes: 0 }
  plane = await startDataPlane('create table rows (id int, name text)', {}, testRef, { imports })
})
afterAll(async () => {
  await plane.close()
  await rm(folder, { recursive: true, force: true })
})

/** A call as the control plane sends it on. */
async function meta(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const answer = await plane.app.inject({
    method,
    url: `/internal/pg-meta/${testRef}/imports${path}`,
    headers: { authorization: `Bearer ${secret}`, 'x-plinth-login': 'postgres' },
    ...(body ? { payload: body } : {}),
  })
  return answer.json<unknown>()
}
async function begun(): Promise<{ id: string; token: string }> {
  const target = { schema: 'public', table: 'rows', columns: ['id', 'name'] }
  const { id, upload_token: token } = ImportState.parse(
    await meta('POST', '', { ...target, file: fileOf(text) }),
  )
  return { id, token: token ?? '' }
}
async function put(id: string, token: string, bytes: Uint8Array, offset: number | string = 0) {
  const answer = await fetch(plane.url + importUpload.path(id, Number(offset)), {
    method: importUpload.method,
    headers: { authorization: `Bearer ${token}` },
    body: bytes,
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const dataOf = (id: string) => join(folder, testRef, id, 'data')
const received = async (id: string) => ImportState.parse(await meta('GET', `/${id}`)).received

test('without a token of this import, or with an old one, nothing is taken', async () => {
  const { id, token } = await begun()
  const other = await begun()
  const key = { ref: testRef, id }
  for (const wrong of [
    '',
    'nonsense',
    token.slice(0, -1),
    `9${token}`,
    other.token,
    plane.project.serviceKey,
    uploadToken('another secret', key),
    uploadToken(secret, { ref: 'bbbbbbbbbbbbbbbbbbbb', id }),
    uploadToken(secret, key, Date.now() - 1),
  ])
    expect(await put(id, wrong, file), wrong).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    })
  expect(await received(id)).toBe(0)
  for (const one of [id, other.id]) await meta('DELETE', `/${one}`)
})

test('an import, and a project, that is not there', async () => {
  const { id, token } = await begun()
  await meta('DELETE', `/${id}`)
  expect(await put(id, token, file)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const gone = { ref: 'bbbbbbbbbbbbbbbbbbbb', id }
  const answer = await fetch(`${plane.url.replace(testRef, gone.ref)}${importUpload.path(id, 0)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${uploadToken(secret, gone)}` },
    body: 'x',
  })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ code: 'project_not_found' })
})

test('bytes of another place, too many of them, or none are refused and change nothing', async () => {
  const { id, token } = await begun()
  expect((await put(id, token, file.subarray(0, 50))).body).toEqual({ received: 50 })
  const bodies: [Uint8Array, number, number, string][] = [
    [file, 0, 409, 'conflict'],
    [file.subarray(60), 60, 409, 'conflict'],
    [Buffer.concat([file, file]), 50, 413, 'body_too_large'],
    [Buffer.alloc(0), 50, 400, 'invalid_input'],
    [file, -1, 400, 'invalid_input'],
    [file, NaN, 400, 'invalid_input'],
  ]
  for (const [bytes, offset, status, code] of bodies)
    expect(await put(id, token, bytes, offset), String(offset)).toMatchObject({
      status,
      body: { code },
    })
  expect((await put(id, token, file, 9)).body).toMatchObject({ received: 50 })
  expect(await readFile(dataOf(id))).toEqual(file.subarray(0, 50))
  await meta('DELETE', `/${id}`)
})

test('a restricted organization changes nothing', async () => {
  const { id, token } = await begun()
  plane.directory.put({ ...plane.project, restricted: true })
  expect(await put(id, token, file)).toMatchObject({
    status: 402,
    body: { code: 'organization_restricted' },
  })
  plane.directory.put(plane.project)
  await meta('DELETE', `/${id}`)
})

test('pages of any origin may ask, and hear the answer', async () => {
  const address = plane.url + importUpload.path(randomUUID(), 0)
  const asked = await fetch(address, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://dashboard.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization',
    },
  })
  expect(asked.status).toBe(200)
  expect(asked.headers.get('access-control-allow-methods')).toContain('PUT')
  const refused = await fetch(address, { method: 'PUT', body: 'x' })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
})

test('cut anywhere, also within a character, a file arrives as it was', async () => {
  const { id, token } = await begun()
  for (let at = 0; at < file.length; at += 997)
    expect((await put(id, token, file.subarray(at, at + 997), at)).status).toBe(200)
  expect(await readFile(dataOf(id))).toEqual(file)
  await meta('POST', `/${id}/finish`, {})
  await expect
    .poll(async () => ImportState.parse(await meta('GET', `/${id}`)))
    .toMatchObject({ phase: 'done', kept: true, rows: 300, upload_token: null })
  expect(await plane.sql('select name from rows where id = 299')).toEqual([{ name: 'Ä 🙂 299' }])
  expect(await put(id, token, file)).toMatchObject({ status: 409 })
  // The list is read by everybody's page again and again.
  expect(Import.array().parse(await meta('GET', ''))[0]).not.toHaveProperty('upload_token')
  await meta('DELETE', `/${id}`)
})

test('what arrived before a connection was lost stays, and the file goes on behind it', async () => {
  const { id, token } = await begun()
  const sending = request(plane.url + importUpload.path(id, 0), {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-length': file.length },
  })
  const lost = new Promise((resolve) => sending.once('error', resolve))
  sending.write(file.subarray(0, 101))
  await expect.poll(() => received(id)).toBe(101)
  // Nobody else writes meanwhile.
  expect(await put(id, token, file.subarray(101), 101)).toMatchObject({
    status: 409,
    body: { message: 'Another part of this import is still being uploaded' },
  })
  sending.destroy()
  await lost
  await expect
    .poll(async () => (await put(id, token, file.subarray(101), 101)).body)
    .toEqual({ received: file.length })
  expect(await readFile(dataOf(id))).toEqual(file)
  await meta('DELETE', `/${id}`)
})

test('more than was announced is refused where no length was said, too', async () => {
  const { id, token } = await begun()
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sending = request(
      plane.url + importUpload.path(id, 0),
      { method: 'PUT', headers: { authorization: `Bearer ${token}` } },
      (answer) => resolve(answer.resume().statusCode),
    )
    sending.once('error', reject)
    sending.write(file)
    sending.end('too much')
  })
  expect(status).toBe(413)
  expect(await received(id)).toBeLessThanOrEqual(file.length)
  await meta('DELETE', `/${id}`)
})

test('a full disk is said to be full, and the file goes on when it is not', async () => {
  const { id, token } = await begun()
  await rm(dataOf(id))
  await symlink('/dev/full', dataOf(id))
  expect(await put(id, token, file)).toMatchObject({ status: 507, body: { code: 'disk_full' } })
  await rm(dataOf(id))
  await writeFile(dataOf(id), '')
  expect((await put(id, token, file)).status).toBe(200)
  await meta('DELETE', `/${id}`)
})
