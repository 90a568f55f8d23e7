import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(
    `
    create type mood as enum ('sad', 'ok', 'happy');
    create type pair as (x int, y text);
    create domain document as tsvector;
    create table things (
      id int primary key, name text, price numeric(30, 10), mood mood, uid uuid, at timestamptz, day date,
      flag boolean, tags text[], nums int[], data jsonb, plain json, span int4range, doc tsvector, odoc document,
      place pair, bytes bytea, "odd, ""name" text, "grüße" text, big int8);
    insert into things values
      (1, 'Apple pie', 12345678901234567890.1234567890, 'happy', '4b5fbc0c-5a3c-4b2e-9d4a-0c1b2d3e4f50',
       '2024-05-06 07:08:09+00', '2024-05-06', true, '{a,"b,c"}', '{1,2,3}', '{"k":{"n":1,"l":[10,20]},"s":"x"}',
       '{"k":1}', '[1,5)', to_tsvector('english', 'fat cats'), to_tsvector('english', 'dogs'), (7, 'seven'),
       'hi', 'comma', 'umlaut', 9007199254740993),
      (2, 'banana*split', 2, 'sad', null, null, null, false, '{}', '{}', '{"k":{"n":2},"s":"y"}', null, '[5,9)',
       to_tsvector('english', 'cats'), null, null, null, 'x"y', null, 2),
      (3, 'cherry', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
      (4, 'apple', 1.5, 'ok', null, null, null, true, '{a}', '{3}', '{"k":null}', null, 'empty', null, null, null,
       null, null, null, 4);
    create function shout(things) returns text language sql stable return upper($1.name);
  `,
  )
  ask = restClient(plane)
})
afterAll(() => plane.close())

const ids = async (query: string): Promise<unknown> =>
  (await ask(`GET /things?select=id&order=id&${query}`)).json

describe('filters', () => {
  test.each<[string, number[]]>([
    ['id=eq.1', [1]],
    ['id=neq.1', [2, 3, 4]],
    ['id=gt.2&id=lte.3', [3]],
    ['id=gte.2&id=lt.4', [2, 3]],
    ['id=not.eq.1', [2, 3, 4]],
    ['id=in.(1,3)', [1, 3]],
    ['id=in.()', []],
    ['id=not.in.()', [1, 2, 3, 4]],
    ['tags=in.()', []],
    ['tags=not.in.()', [1, 2, 3, 4]],
    ['data=not.in.()', [1, 2, 3, 4]],
    ['name=in.("Apple pie",cherry)', [1, 3]],
    ['%22odd, \\"name%22=in.("x\\"y","comma")', [1, 2]],
    ['nums=in.("{1,2,3}","{3}")', [1, 4]],
    ['mood=eq.happy', [1]],
    ['mood=gt.sad', [1, 4]],
    ['uid=eq.4b5fbc0c-5a3c-4b2e-9d4a-0c1b2d3e4f50', [1]],
    ['price=eq.12345678901234567890.1234567890', [1]],
    ['at=gte.2024-05-06T07:08:09Z', [1]],
    ['name=like.*pple*', [1, 4]],
    ['name=like.apple*', [4]],
    ['name=ilike.apple*', [1, 4]],
    ['name=match.^[Aa]', [1, 4]],
    ['name=imatch.^A', [1, 4]],
    ['name=like(any).{cherry,*split}', [2, 3]],
    ['name=ilike(all).{*a*,*e}', [1, 4]],
    ['id=eq(any).{1,4}', [1, 4]],
    ['id=gt(all).{1,2}', [3, 4]],
    ['flag=is.true', [1, 4]],
    ['flag=is.FALSE', [2]],
    ['flag=is.unknown', [3]],
    ['price=is.null', [3]],
    ['price=is.not_null', [1, 2, 4]],
    ['price=not.is.null', [1, 2, 4]],
    ['price=isdistinct.2', [1, 3, 4]],
    ['price=not.isdistinct.2', [2]],
    ['doc=fts(english).cat', [1, 2]],
    ['doc=fts(english).fat%26cat', [1]],
    ['doc=plfts(english).fat cats', [1]],
    ['doc=phfts(english).fat cats', [1]],
    ['doc=wfts(english).cats -fat', [2]],
    ['odoc=fts(english).dog', [1]],
    ['name=fts(english).pies', [1]],
    ['name=wfts.cherry', [3]],
    ['data=fts.x', [1]],
    ['data->>s=fts.y', [2]],
    ['doc=not.fts(english).fat', [2]],
    ['tags=cs.{a}', [1, 4]],
    ['tags=cs.{"b,c"}', [1]],
    ['nums=cd.{1,2,3,4}', [1, 2, 4]],
    ['nums=ov.{2,9}', [1]],
    ['data=cs.{"s":"y"}', [2]],
    ['span=sl.[5,6)', [1]],
    ['span=sr.[1,3)', [2]],
    ['span=nxr.[1,6)', [1]],
    ['span=nxl.[5,6)', [2]],
    ['span=adj.[5,7)', [1]],
    ['span=ov.[4,6)', [1, 2]],
    ['data->>s=eq.x', [1]],
    ['data->k->>n=eq.2', [2]],
    ['data->k->n=eq.1', [1]],
    ['data->k->l->>1=eq.20', [1]],
    ['data->k->l->>-1=eq.20', [1]],
    ['data->>nope=is.null', [1, 2, 3, 4]],
    ['plain->>k=eq.1', [1]],
    ['place->>y=eq.seven', [1]],
    ['nums->0=eq.3', [4]],
    ['shout=eq.CHERRY', [3]],
    ['gr%C3%BC%C3%9Fe=eq.umlaut', [1]],
    ['or=(id.eq.1,id.eq.4)', [1, 4]],
    ['and=(id.gt.1,or(name.eq.cherry,flag.is.true))', [3, 4]],
    ['not.or=(id.eq.1,id.in.(2,3))', [4]],
    ['not.and=(id.gt.1,id.lt.4)', [1, 4]],
    ['or=(not.and(id.gt.0,id.lt.5),name.in.("Apple pie",x))', [1]],
    ['or=(tags.cs.{a,"b,c"},name.eq."banana*split")', [1, 2]],
    ['or=(data->>s.eq.y,"odd, \\"name".eq.comma)', [1, 2]],
    ['id=eq.1&or=(id.eq.1,id.eq.2)', [1]],
  ])('%s', async (query, expected) => {
    expect(await ids(query.replaceAll('&id', '&id').replaceAll(' ', '+'))).toEqual(
      expected.map((id) => ({ id })),
    )
  })
})

describe('select and order', () => {
  test.each<[string, unknown]>([
    ['select=id,n:name', { id: 1, n: 'Apple pie' }],
    ['select=id::text,price::int8::x', undefined],
    ['select=id::text', { id: '1' }],
    ['select=c:id::text', { c: '1' }],
    ['select=flag::int', { flag: 1 }],
    ['select=nums::text[]', { nums: ['1', '2', '3'] }],
    ['select=at::date', { at: '2024-05-06' }],
    ['select=data->k->n', { n: 1 }],
    ['select=data->k->l->1', { l: 20 }],
    ['select=data->>s,x:data->k->>n', { s: 'x', x: '1' }],
    ['select=nums->0', { nums: 1 }],
    ['select=place->y,place', { y: 'seven', place: { x: 7, y: 'seven' } }],
    ['select=shout', { shout: 'APPLE PIE' }],
    ['select="odd, \\"name"', { 'odd, "name': 'comma' }],
    ['select=grüße', { grüße: 'umlaut' }],
    ['select=tags,bytes', { tags: ['a', 'b,c'], bytes: String.raw`\x6869` }],
  ])('%s', async (query, expected) => {
    const reply = await ask(`GET /things?id=eq.1&${query.replace('+', '%2B')}`)
    if (expected === undefined) expect(reply.status).toBe(400)
    else expect(reply.json).toEqual([expected])
  })

  test('numbers keep all their digits', async () => {
    const { text } = await ask('GET /things?id=eq.1&select=price,big')
    expect(text).toBe('[{"price":12345678901234567890.1234567890,"big":9007199254740993}]')
  })

  test('no select, an empty select and a star are all columns', async () => {
    const replies = await Promise.all(
      ['', '&select=', '&select=*'].map((query) => ask(`GET /things?id=eq.3${query}`)),
    )
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    const [rows] = replies.map((reply) => reply.json as object[])
    expect(Object.keys(rows?.[0] ?? {})).toHaveLength(20)
    const star = await ask('GET /things?id=eq.1&select=*,loud:shout')
    expect(star.json).toMatchObject([{ id: 1, name: 'Apple pie', loud: 'APPLE PIE' }])
  })

  test.each<[string, number[]]>([
    ['order=price.desc.nullslast', [1, 2, 4, 3]],
    ['order=price.desc', [3, 1, 2, 4]],
    ['order=price.asc.nullsfirst', [3, 4, 2, 1]],
    ['order=flag.nullslast,id.desc', [2, 4, 1, 3]],
    ['order=data->k->n.desc.nullslast,id', [2, 1, 3, 4]],
    ['order=shout.desc', [3, 2, 1, 4]],
    ['order=id&limit=2', [1, 2]],
    ['order=id&limit=2&offset=1', [2, 3]],
    ['order=id&limit=0', []],
    ['order=id&offset=9', []],
  ])('%s', async (query, expected) => {
    const reply = await ask(`GET /things?select=id&${query}`)
    expect(reply.json).toEqual(expected.map((id) => ({ id })))
  })
})
