import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create table shops (id int primary key, name text);
    create table sales (id int primary key, shop int references shops, amount int, on_day date);
    insert into shops values (1, 'a'), (2, 'b'), (3, 'empty');
    insert into sales values (1, 1, 5, '2024-01-01'), (2, 1, 7, '2024-01-02'), (3, 2, 1, '2024-01-02');
    create table rooms (house int, number int, name text, primary key (house, number));
    create table guests (id int primary key, name text);
    create table stays (house int, number int, guest int references guests, primary key (house, number, guest),
      foreign key (house, number) references rooms);
    insert into rooms values (1, 1, 'blue'), (1, 2, 'red');
    insert into guests values (1, 'Ada'), (2, 'Bob');
    insert into stays values (1, 1, 1), (1, 1, 2), (1, 2, 2);
    create table staff (id int primary key, name text, boss int references staff);
    insert into staff values (1, 'Eva', null), (2, 'Max', 1);
    create table orders (id int, year int, shop int references shops, primary key (id, year)) partition by range (year);
    create table orders_2024 partition of orders for values from (2024) to (2025);
    insert into orders values (1, 2024, 1);
    create function best(shops) returns setof sales rows 1 language sql stable as
      'select * from public.sales where shop = $1.id order by amount desc limit 1';
    create function sales(shops) returns setof sales language sql stable as
      'select * from public.sales where shop = $1.id and amount > 5';
  `)
  await withClient(plane.database.adminConfig, (client) =>
    client.query(
      `alter role authenticator in database ${plane.database.name} set pgrst.db_aggregates_enabled = 'true'`,
    ),
  )
  ask = restClient(plane)
})
afterAll(() => plane.close())

describe('refused', () => {
  test.each([
    ['/stays?select=guest,rooms(name)&rooms=eq.1', 400, 'PGRST120'],
    ['/stays?select=guest,rooms(name)&or=(rooms.gt.1,guest.eq.1)', 400, 'PGRST120'],
    ['/stays?select=guest&rooms.name=eq.blue', 400, 'PGRST108'],
    ['/stays?select=guest&rooms.order=name', 400, 'PGRST108'],
    ['/rooms?select=name,stays(guest)&order=stays(guest)', 400, 'PGRST118'],
    ['/rooms?select=name,guests!nothing(name)', 400, 'PGRST200'],
    ['/shops?select=id,orders_2024(id)', 400, 'PGRST200'],
    ['/shops?select=name,...orders(id.count())', 400, 'PGRST127'],
  ])('%s', async (path, status, code) => {
    expect(await ask(`GET ${path}`)).toMatchObject({ status, json: { code } })
  })
})

test.each<[string, unknown]>([
  // A relation that refers to itself: by its name those who refer to a row, by the column what a row refers to.
  [
    '/staff?select=name,staff(name)&order=id',
    [
      { name: 'Eva', staff: [{ name: 'Max' }] },
      { name: 'Max', staff: [] },
    ],
  ],
  [
    '/staff?select=name,under:staff!boss(name)&id=eq.1',
    [{ name: 'Eva', under: [{ name: 'Max' }] }],
  ],
  ['/staff?select=name,boss(name)&id=eq.2', [{ name: 'Max', boss: { name: 'Eva' } }]],
  [
    '/staff?select=name,staff_boss_fkey(name)&id=eq.2',
    [{ name: 'Max', staff_boss_fkey: { name: 'Eva' } }],
  ],
  // Many to many by a key of two columns, from both sides; with its hint.
  [
    '/rooms?select=name,guests(name)&order=number&guests.order=id',
    [
      { name: 'blue', guests: [{ name: 'Ada' }, { name: 'Bob' }] },
      { name: 'red', guests: [{ name: 'Bob' }] },
    ],
  ],
  [
    '/guests?select=name,rooms!stays(name)&id=eq.2&rooms.order=number',
    [{ name: 'Bob', rooms: [{ name: 'blue' }, { name: 'red' }] }],
  ],
  // The same relation twice under names of its own, each with its conditions.
  [
    '/guests?select=name,one:rooms!stays(number),two:rooms!stays(number)&one.name=eq.blue&two.name=eq.red&id=eq.2',
    [{ name: 'Bob', one: [{ number: 1 }], two: [{ number: 2 }] }],
  ],
  // The name of the target still means it, where only one is called otherwise.
  [
    '/guests?select=name,r:rooms(number)&rooms.name=eq.red&id=eq.2',
    [{ name: 'Bob', r: [{ number: 2 }] }],
  ],
  [
    '/rooms?select=name,stays!left(guest)&stays.guest=eq.1&order=number',
    [
      { name: 'blue', stays: [{ guest: 1 }] },
      { name: 'red', stays: [] },
    ],
  ],
  [
    '/guests?select=name,stays!inner(rooms!inner(name))&stays.rooms.name=eq.red',
    [{ name: 'Bob', stays: [{ rooms: { name: 'red' } }] }],
  ],
  // Anti-join, semi-join, and as one of several conditions.
  ['/shops?select=name,orders()&orders=is.null&order=id', [{ name: 'b' }, { name: 'empty' }]],
  ['/shops?select=name,orders()&orders=not.is.null', [{ name: 'a' }]],
  [
    '/shops?select=name,orders()&or=(orders.not.is.null,name.eq.empty)&order=id',
    [{ name: 'a' }, { name: 'empty' }],
  ],
  // Partitioned tables on both sides.
  ['/orders?select=id,shops(name)', [{ id: 1, shops: { name: 'a' } }]],
  ['/shops?select=id,orders(year)&id=eq.1', [{ id: 1, orders: [{ year: 2024 }] }]],
  // What is computed comes before the key of the same name.
  ['/shops?select=id,sales(id)&id=eq.1', [{ id: 1, sales: [{ id: 2 }] }]],
  ['/shops?select=id,best(id)&order=id&limit=1', [{ id: 1, best: { id: 2 } }]],
])('GET %s', async (path, expected) => {
  expect((await ask(`GET ${path}`)).json).toEqual(expected)
})

test.each<[string, unknown]>([
  [
    '/sales?select=amount.sum(),amount.avg(),amount.max(),amount.min(),amount.count(),count()',
    [{ sum: 13, avg: 13 / 3, max: 7, min: 1, count: 3 }],
  ],
  ['/sales?select=total:amount.sum()', [{ total: 13 }]],
  ['/sales?select=amount::text.max()', [{ max: '7' }]],
  ['/sales?select=amount.avg()::int', [{ avg: 4 }]],
  [
    '/sales?select=on_day,n:count()&order=on_day',
    [
      { on_day: '2024-01-01', n: 1 },
      { on_day: '2024-01-02', n: 2 },
    ],
  ],
  [
    '/rooms?select=name,stays(count())&order=number',
    [
      { name: 'blue', stays: [{ count: 2 }] },
      { name: 'red', stays: [{ count: 1 }] },
    ],
  ],
  // What is embedded says what belongs together.
  ['/sales?select=amount.sum(),shops(name)&shop=eq.1', [{ sum: 12, shops: { name: 'a' } }]],
  ['/shops?select=count(),orders(year)&id=gt.1', [{ count: 2, orders: [] }]],
  ['/sales?select=amount.sum(),...shops(shop_name:name)&shop=eq.1', [{ sum: 12, shop_name: 'a' }]],
  // The columns of a spread are those of the table, for aggregates, too.
  [
    '/sales?select=on_day,...shops(name.max(),n:count(),least:name.min()::text)&order=on_day',
    [
      { on_day: '2024-01-01', max: 'a', n: 1, least: 'a' },
      { on_day: '2024-01-02', max: 'b', n: 2, least: 'a' },
    ],
  ],
  ['/stays?select=...rooms(house,name.max())', [{ house: 1, max: 'red' }]],
])('GET %s, with aggregates', async (path, expected) => {
  expect((await ask(`GET ${path}`)).json).toEqual(expected)
})

test('what a PUT shows can have embeds, and so can its fresh row', async () => {
  const put = (shop: number) =>
    ask('PUT /sales?id=eq.9&select=amount,shops(name)', {
      body: { id: 9, shop, amount: 1 },
      headers: { prefer: 'return=representation' },
    })
  expect(await put(1)).toMatchObject({ status: 201, json: [{ amount: 1, shops: { name: 'a' } }] })
  expect(await put(2)).toMatchObject({ status: 200, json: [{ amount: 1, shops: { name: 'b' } }] })
  await ask('DELETE /sales?id=eq.9')
})
