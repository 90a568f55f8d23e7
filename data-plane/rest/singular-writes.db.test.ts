import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
const accept = 'application/vnd.pgrst.object+json'

beforeAll(async () => {
  plane = await startDataPlane(`
    create table books (id int primary key, title text);
    insert into books values (1, 'one'), (2, 'two'), (3, 'three');
    create function rename_from(low int) returns setof books language sql volatile as
      $$ update public.books set title = 'called' where id >= low returning * $$;
    create function rename_all() returns void language sql volatile as
      $$ update public.books set title = 'void' $$;
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const titles = async () => (await ask('GET /books?select=id,title&order=id')).json
const refused = (rows: number) => ({
  status: 406,
  json: {
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
  },
})
const body = { title: 'changed' }
const merging = 'resolution=merge-duplicates'
const ignoring = 'resolution=ignore-duplicates'

describe.each([undefined, 'return=minimal', 'return=headers-only', 'return=representation'])(
  'a write that asks for one row, with %s,',
  (returning) => {
    const send = (request: string, sent?: unknown, more?: string) => {
      const prefer = [returning, more].filter(Boolean).join(', ')
      const headers = { accept, ...(prefer && { prefer }) }
      return ask(request, { headers, ...(sent === undefined ? {} : { body: sent }) })
    }

    test.each([
      ['PATCH /books?id=gte.2', 2, body, undefined],
      ['PATCH /books?id=eq.9', 0, body, undefined],
      ['PATCH /books?id=eq.1', 0, {}, undefined],
      ['DELETE /books?id=gte.2', 2, undefined, undefined],
      ['DELETE /books?id=eq.9', 0, undefined, undefined],
      ['POST /books', 2, [{ id: 4 }, { id: 5 }], undefined],
      ['POST /books', 0, [], undefined],
      ['POST /books', 2, [{ id: 1 }, { id: 5 }], merging],
      ['POST /books', 0, [{ id: 1, title: 'ignored' }], ignoring],
    ])('%s of %i rows is refused and undone', async (request, rows, sent, more) => {
      const before = await titles()
      expect(await send(request, sent, more)).toMatchObject(refused(rows))
      expect(await titles()).toEqual(before)
    })

    test('is done where it is one', async () => {
      const before = await titles()
      const shows = returning === 'return=representation'
      const statuses = [
        (await send('POST /books', { id: 7, title: 'seven' })).status,
        (await send('PATCH /books?id=eq.7', body)).status,
        (await send('PUT /books?id=eq.7', { id: 7, title: 'put' })).status,
        (await send('DELETE /books?id=eq.7')).status,
      ]
      expect(statuses).toEqual(shows ? [201, 200, 200, 200] : [201, 204, 204, 204])
      expect(await titles()).toEqual(before)
    })
  },
)

describe('a function that is to answer with one row', () => {
  test.each(['return=minimal', 'return=representation', 'count=exact'])(
    'is undone where it answers with more or none, with %s',
    async (prefer) => {
      const call = (low: number) =>
        ask('POST /rpc/rename_from', { body: { low }, headers: { accept, prefer } })
      const before = await titles()
      expect(await call(2)).toMatchObject(refused(2))
      expect(await call(9)).toMatchObject(refused(0))
      expect(await titles()).toEqual(before)
      expect(await call(3)).toMatchObject({ status: 200, json: { id: 3, title: 'called' } })
    },
  )

  test('and has nothing to show is done', async () => {
    expect((await ask('POST /rpc/rename_all', { headers: { accept } })).status).toBe(204)
    expect(await titles()).toEqual([1, 2, 3].map((id) => ({ id, title: 'void' })))
  })
})
