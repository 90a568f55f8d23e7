import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create table countries (code text primary key, name text);
    create table authors (id int primary key, name text, country text references countries, mentor int references authors);
    create table profiles (author int primary key references authors, bio text);
    create table books (id int primary key, title text, author int references authors, editor int, data jsonb,
      constraint books_editor_fk foreign key (editor) references authors);
    create table tags (id int primary key, label text);
    create table books_tags (book int references books, tag int references tags, primary key (book, tag));
    create table loose (id int);
    create table pages (book int, number int, primary key (book, number));
    create table lines (id int primary key, book int, page int, foreign key (book, page) references pages);
    insert into countries values ('IE', 'Ireland'), ('UK', 'United Kingdom');
    insert into authors values (1, 'Joyce', 'IE', null), (2, 'Austen', 'UK', 1), (3, 'Nobody', null, 1);
    insert into profiles values (1, 'Wrote about a day');
    insert into books values (1, 'Ulysses', 1, 2, '{"k":1}'), (2, 'Dubliners', 1, null, null), (3, 'Emma', 2, 1, null), (4, 'Anonymous', null, null, null);
    insert into tags values (1, 'long'), (2, 'novel'), (3, 'unused');
    insert into books_tags values (1, 1), (1, 2), (3, 2);
    insert into pages values (1, 1), (1, 2);
    insert into lines values (1, 1, 1), (2, 1, 1), (3, 1, 2);
    create table private (id int primary key, book int references books);
    insert into private values (1, 1);
    alter table private enable row level security;
    create function books_by(who int) returns setof books language sql stable as 'select * from public.books where author = who';
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const get = async (path: string) => (await ask(`GET ${path}`)).json

describe('what belongs together', () => {
  test.each<[string, unknown]>([
    [
      '/books?select=title,author(name)&id=in.(1,4)&order=id',
      [
        { title: 'Ulysses', author: { name: 'Joyce' } },
        { title: 'Anonymous', author: null },
      ],
    ],
    ['/books?select=a:authors!author(name)&id=eq.3', [{ a: { name: 'Austen' } }]],
    ['/books?select=authors!books_editor_fk(name)&id=eq.3', [{ authors: { name: 'Joyce' } }]],
    [
      '/authors?select=name,books!author(title)&order=id&books.order=title',
      [
        { name: 'Joyce', books: [{ title: 'Dubliners' }, { title: 'Ulysses' }] },
        { name: 'Austen', books: [{ title: 'Emma' }] },
        { name: 'Nobody', books: [] },
      ],
    ],
    [
      '/authors?select=id,profiles(bio)&order=id&id=lt.3',
      [
        { id: 1, profiles: { bio: 'Wrote about a day' } },
        { id: 2, profiles: null },
      ],
    ],
    [
      '/books?select=id,tags(label)&id=lt.4&order=id&tags.order=id.desc',
      [
        { id: 1, tags: [{ label: 'novel' }, { label: 'long' }] },
        { id: 2, tags: [] },
        { id: 3, tags: [{ label: 'novel' }] },
      ],
    ],
    [
      '/books?select=author(name,country(name))&id=eq.1',
      [{ author: { name: 'Joyce', country: { name: 'Ireland' } } }],
    ],
    ['/authors?select=name,mentor(name)&id=eq.2', [{ name: 'Austen', mentor: { name: 'Joyce' } }]],
    ['/lines?select=id,pages(number)&id=eq.3', [{ id: 3, pages: { number: 2 } }]],
    [
      '/pages?select=number,lines(id)&order=number',
      [
        { number: 1, lines: [{ id: 1 }, { id: 2 }] },
        { number: 2, lines: [{ id: 3 }] },
      ],
    ],
    [
      '/books?select=*,author(*)&id=eq.2',
      [
        {
          id: 2,
          title: 'Dubliners',
          author: { id: 1, name: 'Joyce', country: 'IE', mentor: null },
          editor: null,
          data: null,
        },
      ],
    ],
    [
      '/rpc/books_by?who=1&select=title,tags(label)&order=id&tags.limit=1&tags.order=id',
      [
        { title: 'Ulysses', tags: [{ label: 'long' }] },
        { title: 'Dubliners', tags: [] },
      ],
    ],
    ['/books?select=id,private(id)&id=eq.1', [{ id: 1, private: [] }]],
    [
      '/books?select=title,...author(writer:name,...country(land:name))&id=eq.1',
      [{ title: 'Ulysses', writer: 'Joyce', land: 'Ireland' }],
    ],
    [
      '/authors?select=name,...books!author(title)&order=id&books.order=id',
      [
        { name: 'Joyce', title: ['Ulysses', 'Dubliners'] },
        { name: 'Austen', title: ['Emma'] },
        { name: 'Nobody', title: [] },
      ],
    ],
  ])('%s', async (path, expected) => {
    expect(await get(path)).toEqual(expected)
  })
})

describe('conditions, order and pages', () => {
  test.each<[string, unknown]>([
    [
      '/authors?select=id,books!author(id)&books.title=like.D*&order=id',
      [
        { id: 1, books: [{ id: 2 }] },
        { id: 2, books: [] },
        { id: 3, books: [] },
      ],
    ],
    [
      '/authors?select=id,books!author!inner(id)&books.title=like.D*',
      [{ id: 1, books: [{ id: 2 }] }],
    ],
    [
      '/books?select=id,author!inner(name)&author.country=eq.UK',
      [{ id: 3, author: { name: 'Austen' } }],
    ],
    [
      '/books?select=id,author!inner(country!inner())&author.country.name=eq.Ireland&order=id',
      [
        { id: 1, author: {} },
        { id: 2, author: {} },
      ],
    ],
    ['/books?select=id,tags!inner()&tags.label=eq.long', [{ id: 1 }]],
    ['/authors?select=id,books!author()&books=is.null', [{ id: 3 }]],
    ['/authors?select=id,books!author()&books=not.is.null&order=id', [{ id: 1 }, { id: 2 }]],
    [
      '/books?select=id,author()&or=(author.is.null,title.eq.Emma)&order=id',
      [{ id: 3 }, { id: 4 }],
    ],
    [
      '/authors?select=id,b:books!author(id)&b.or=(id.eq.1,id.eq.3)&order=id&id=lt.3',
      [
        { id: 1, b: [{ id: 1 }] },
        { id: 2, b: [{ id: 3 }] },
      ],
    ],
    [
      '/authors?select=id,b:books!author(id)&b.limit=1&b.offset=1&b.order=id&id=eq.1',
      [{ id: 1, b: [{ id: 2 }] }],
    ],
    [
      '/books?select=id,authors!author(name)&order=authors(name).desc.nullslast,id&limit=3',
      [
        { id: 1, authors: { name: 'Joyce' } },
        { id: 2, authors: { name: 'Joyce' } },
        { id: 3, authors: { name: 'Austen' } },
      ],
    ],
    [
      '/books?select=id,authors!author(id)&order=authors(name).nullsfirst&limit=1',
      [{ id: 4, authors: null }],
    ],
  ])('%s', async (path, expected) => {
    expect(await get(path)).toEqual(expected)
  })

  test('a count counts what an inner embed leaves', async () => {
    const headers = { prefer: 'count=exact' }
    const inner = await ask('GET /books?select=id,tags!inner()&limit=1', { headers })
    expect(inner.headers.get('content-range')).toBe('0-0/2')
    const anti = await ask('GET /authors?select=id,books!author()&books=is.null', { headers })
    expect(anti.headers.get('content-range')).toBe('0-0/1')
  })

  test('it is one statement at any depth', async () => {
    const path = '/authors?select=name,books!author(title,tags(label,books(author(name))))&id=eq.2'
    expect(await get(path)).toEqual([
      {
        name: 'Austen',
        books: [
          {
            title: 'Emma',
            tags: [
              {
                label: 'novel',
                books: [{ author: { name: 'Joyce' } }, { author: { name: 'Austen' } }],
              },
            ],
          },
        ],
      },
    ])
  })
})

test('after a write', async () => {
  const headers = { prefer: 'return=representation' }
  const made = await ask('POST /books?select=title,author(name)', {
    body: { id: 10, title: 'New', author: 2 },
    headers,
  })
  expect(made.json).toEqual([{ title: 'New', author: { name: 'Austen' } }])
  const changed = await ask(
    'PATCH /books?id=eq.10&select=author(name),tags(label)&tags.label=eq.x',
    { body: { author: 1 }, headers },
  )
  expect(changed.json).toEqual([{ author: { name: 'Joyce' }, tags: [] }])
  const removed = await ask('DELETE /books?id=eq.10&select=author(name)', { headers })
  expect(removed.json).toEqual([{ author: { name: 'Joyce' } }])
})

describe('refused', () => {
  test('none', async () => {
    expect(await ask('GET /books?select=id,loose(id)')).toMatchObject({
      status: 400,
      json: {
        code: 'PGRST200',
        message: "Could not find a relationship between 'books' and 'loose' in the schema cache",
        details:
          "Searched for a foreign key relationship between 'books' and 'loose' in the schema 'public', but no matches were found.",
      },
    })
    expect((await ask('GET /books?select=id,authers(id)')).json).toMatchObject({
      code: 'PGRST200',
      hint: "Perhaps you meant 'authors' instead of 'authers'.",
    })
    expect((await ask('GET /books?select=authors!nope(id)')).json).toMatchObject({
      code: 'PGRST200',
    })
  })

  test('several', async () => {
    const reply = await ask('GET /books?select=id,authors(id)')
    expect(reply).toMatchObject({
      status: 300,
      json: {
        code: 'PGRST201',
        hint: "Try changing 'authors' to one of the following: 'authors!books_author_fkey', 'authors!books_editor_fk'. Find the desired relationship in the 'details' key.",
        details: [
          {
            cardinality: 'many-to-one',
            relationship: 'books_author_fkey using books(author) and authors(id)',
            embedding: 'books with authors',
          },
          {},
        ],
      },
    })
    const back = await ask('GET /authors?select=id,books(id)')
    expect(back).toMatchObject({
      status: 300,
      json: {
        details: [
          {
            cardinality: 'one-to-many',
            relationship: 'books_author_fkey using authors(id) and books(author)',
            embedding: 'authors with books',
          },
          {},
        ],
      },
    })
  })

  test.each([
    ['/books?select=id,author(name)&author=eq.x', 200],
    ['/authors?select=id,b:books!author(id)&b=eq.1', 400],
    ['/authors?select=id,books!author(id)&order=books(title)', 400],
    ['/books?select=id&author.name=eq.x', 400],
    ['/books?select=id,author(nope)', 400],
    ['/books?select=id,author(name)&author.nope=eq.1', 400],
  ])('%s', async (path, status) => {
    // A column of the same name as an embed stays a column.
    expect((await ask(`GET ${path.replace('author=eq.x', 'author=eq.1')}`)).status).toBe(status)
  })

  test('a relation that the role may not read', async () => {
    await plane.sql('revoke all on tags from anon')
    expect(await ask('GET /books?select=id,tags(label)')).toMatchObject({ status: 401 })
    await plane.sql('grant select on tags to anon')
  })
})
