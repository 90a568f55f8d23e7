import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

let plane: TestDataPlane

beforeAll(async () => {
  plane = await startDataPlane(`
    create table books (id int primary key, title text);
    grant all on books to service_role;
    insert into books values (1, 'Dune')`)
})
afterAll(() => plane.close())

const get = async (path: string) => {
  const response = await fetch(`${plane.url}/rest/v1/${path}`, {
    headers: { apikey: plane.project.serviceKey },
  })
  return { status: response.status, body: (await response.json()) as unknown }
}
const pause = () => plane.directory.put({ ...plane.project, status: 'INACTIVE' })
const resume = () => plane.directory.put(plane.project)

test('a project that wakes up serves what it served before', async () => {
  expect(await get('books')).toEqual({ status: 200, body: [{ id: 1, title: 'Dune' }] })
  pause()
  expect((await get('books')).status).toBe(503)
  resume()
  expect(await get('books')).toEqual({ status: 200, body: [{ id: 1, title: 'Dune' }] })
})

test('what changed while it slept is seen by the first request that asks for it', async () => {
  pause()
  await plane.sql(`
    alter table books add column year int default 1965;
    create table films (id int primary key);
    grant all on films to service_role`)
  resume()
  expect(await get('films')).toEqual({ status: 200, body: [] })
  expect(await get('books?select=title,year')).toMatchObject({
    status: 200,
    body: [{ title: 'Dune', year: 1965 }],
  })
})

test('what was dropped while it slept is a clear refusal, never a 5xx', async () => {
  pause()
  await plane.sql('drop table films')
  resume()
  expect((await get('films')).status).toBe(404)
})
