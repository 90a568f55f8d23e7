import { write, type PeerRequest } from './peer-requests.ts'

export const writes: PeerRequest[] = [
  ...[undefined, 'return=minimal', 'return=headers-only', 'return=representation'].flatMap(
    (value) => [
      write('POST /books', { id: 10, title: 'New' }, value),
      write(
        'POST /books?select=id,title',
        [
          { id: 10, title: 'a' },
          { id: 11, title: 'b' },
        ],
        value,
      ),
      write('PATCH /books?id=eq.1', { pages: 5 }, value),
      write('PATCH /books?id=eq.99', { pages: 5 }, value),
      write('DELETE /stock?shop_id=eq.1', undefined, value),
      write('DELETE /stock?shop_id=eq.99', undefined, value),
      write('PUT /authors?id=eq.1', { id: 1, name: 'Other' }, value),
      write('PUT /authors?id=eq.9', { id: 9, name: 'Other' }, value),
    ],
  ),
  ...[
    'resolution=merge-duplicates',
    'resolution=ignore-duplicates',
    'resolution=merge-duplicates,return=representation',
    'resolution=ignore-duplicates,return=representation',
  ].flatMap((value) => [
    write(
      'POST /authors',
      [
        { id: 1, name: 'A' },
        { id: 9, name: 'B' },
      ],
      value,
    ),
    write('POST /authors', { id: 1, name: 'A' }, value),
    write(
      'POST /books?on_conflict=title,author_id',
      { id: 50, title: 'Emma', author_id: 1 },
      value,
    ),
  ]),
  write('POST /books', [], 'return=representation'),
  write('POST /books', [], undefined),
  write('PATCH /books?id=eq.1', {}, 'return=representation'),
  write('PATCH /books?id=eq.1', {}, undefined),
  write(
    'POST /books',
    [
      { id: 10, title: 'a', pages: 1 },
      { id: 11, title: 'b' },
    ],
    'return=representation',
  ),
  write(
    'POST /books?columns=id,title',
    [
      { id: 10, title: 'a', pages: 1 },
      { id: 11, title: 'b' },
    ],
    'return=representation',
  ),
  write('POST /books?columns=id,title,pages', { id: 10, title: 'a' }, 'return=representation'),
  write(
    'POST /books?columns=id,title,pages',
    { id: 10, title: 'a' },
    'return=representation,missing=default',
  ),
  write(
    'POST /books?select=title,authors(name)',
    { id: 10, title: 'a', author_id: 1 },
    'return=representation',
  ),
  write(
    'PATCH /books?id=eq.1&select=title,authors(name)',
    { author_id: 2 },
    'return=representation',
  ),
  write(
    'PATCH /books?id=eq.1&select=title',
    { tags: ['x'], data: { a: 1 }, feel: 'dark' },
    'return=representation,count=exact',
  ),
  write('DELETE /covers?select=colour,books(title)', undefined, 'return=representation'),
  write('DELETE /covers?book_id=eq.1', undefined, 'count=exact'),
  write('POST /long_books', { id: 10, title: 'x', pages: 500 }, 'return=representation'),
  write('POST /odd%20names', { 'the id': 5, 'a,b': 'q' }, 'return=headers-only'),
  write('POST /stock', { shop_id: 2, book_id: 2 }, 'return=headers-only'),
  {
    request: 'POST /authors?select=*',
    as: 'user',
    body: 'id,name,born\n20,Csv,NULL\n21,"x,y",2000-01-01',
    headers: { 'content-type': 'text/csv', prefer: 'return=representation' },
  },
  {
    request: 'POST /authors',
    as: 'user',
    body: 'id=22&name=Form',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      prefer: 'return=representation',
    },
  },
  write('POST /authors', { id: 30, name: 'x' }, 'return=representation,count=exact'),
  write('POST /rpc/add', { a: 4 }),
  write('POST /rpc/add', { a: 4, b: 6 }),
  write('POST /rpc/books_of?select=title&order=title', { author: 2 }),
  write('POST /rpc/nothing_at_all', {}),
  write('POST /rpc/echo', { some: ['json', 1] }),
  write('POST /rpc/joined', { words: ['a', 'b'] }),
  write('POST /rpc/chosen', {}),
  write('POST /rpc/request_seen', {}),
  write('POST /rpc/request_seen', {}, 'timezone=Europe/Rome'),
  write('POST /rpc/no_text', {}),
  write('POST /rpc/pair', {}, 'count=exact'),
  write('POST /rpc/names', {}),
  { request: 'POST /rpc/request_seen', body: {} },
]
