import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../../testing/data-plane.ts'
import { restClient, type Ask } from '../../testing/rest/client.ts'
import { plainVerbs, touchedSince, touching, tracesOf } from '../../testing/rest/plain.ts'
import { touchingWrites } from '../../testing/rest/touching-writes.ts'

const unlock = 'select pg_advisory_unlock_all();'
const named = touchingWrites.map((one, i) => {
  const name = `case_${i}`
  const own = (text: string) => text.replaceAll('NAME', name)
  return { ...one, name, setup: own(one.setup), request: own(one.request) }
})

let plane: TestDataPlane
let ask: Ask
let verbs: Record<string, string>
beforeAll(async () => {
  plane = await startDataPlane([touching, ...named.map(({ setup }) => setup), unlock].join('\n'))
  ask = restClient(plane)
  verbs = await plainVerbs(plane)
})
afterAll(() => plane.close())

const gone = () => expect.poll(() => tracesOf(plane)).toBe(0)

describe('what a write leaves is gone for the next request of the connection', () => {
  test.each(named)('$what', async ({ name, request, body, prefer, accept, plain }) => {
    await touchedSince(plane)
    const headers = { ...(prefer ? { prefer } : {}), ...(accept ? { accept } : {}) }
    const reply = await ask(request, { body, headers })
    expect(reply.status, reply.text).toBeLessThan(300)
    expect(await touchedSince(plane)).toBe(true)
    await gone()
    expect(verbs[name]).toBe(plain ?? 'insert update delete')
  })
})

describe('what takes the place of something of the server', () => {
  test.each([
    [
      'an operator',
      `create function like_odd(a varchar, b varchar) returns bool language sql as 'select touched(1) > 0';
      create operator public.~~ (leftarg = varchar, rightarg = varchar, function = like_odd);
      create table odd (name varchar); insert into odd values ('a');`,
      'DELETE /odd?name=like.b',
    ],
    [
      'a function',
      `create function step(text, record) returns text language plpgsql as $$ begin perform touched(1); return ''; end $$;
      create aggregate public.json_agg(record) (stype = text, sfunc = step);
      create table odd (name text);`,
      'POST /odd',
    ],
    [
      'a function that was added to an extension',
      `create function step(text, record) returns text language plpgsql as $$ begin perform touched(1); return ''; end $$;
      create aggregate public.json_agg(record) (stype = text, sfunc = step);
      create extension citext; alter extension citext add aggregate json_agg(record);
      create table odd (name text);`,
      'POST /odd',
    ],
    [
      'a cast of a type',
      `create type kind as enum ('a');
      create function kind_json(kind) returns json language sql as 'select to_json(touched(1))';
      create cast (kind as json) with function kind_json(kind);
      create table odd (name kind);`,
      'POST /odd',
    ],
  ])('%s', (_, setup, request) => replaces(setup, request))

  test('a type, where the search path puts its schema before those', async () => {
    const setup = `create domain public.jsonb as pg_catalog.jsonb check (touched(1) > 0);
      create table odd (name text default 'b');`
    const extraSearchPath = ['public', 'pg_catalog']
    await replaces(setup, 'POST /odd', { extraSearchPath }, 'insert update delete')
  })

  async function replaces(
    setup: string,
    request: string,
    settings: Parameters<typeof startDataPlane>[1] = {},
    plain = '',
  ): Promise<void> {
    const own = await startDataPlane([touching, setup, unlock].join('\n'), settings)
    try {
      const headers = { prefer: 'return=representation,missing=default' }
      const body = request.startsWith('POST') ? { name: 'a' } : undefined
      const reply = await restClient(own)(request, { body, headers })
      expect(await touchedSince(own), reply.text).toBe(true)
      await expect.poll(() => tracesOf(own)).toBe(0)
      expect((await plainVerbs(own))['odd']).toBe(plain)
    } finally {
      await own.close()
    }
  }
})
