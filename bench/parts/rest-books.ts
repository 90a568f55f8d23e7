/** Books of authors, each the one user's own, for the benchmarks of the data API. */
export const userId = '4b5fbc0c-5a3c-4b2e-9d4a-0c1b2d3e4f50'
export const bookCount = 100_000
export const authorCount = bookCount / 10

export const anyOf = (count: number): number => 1 + Math.floor(Math.random() * count)

export const booksSetup = [
  'create table authors (id int primary key, name text)',
  `insert into authors select i, 'Author ' || i from generate_series(1, ${authorCount}) i`,
  `create table books (id int primary key, owner uuid not null, title text, pages int, added timestamptz,
    author_id int references authors)`,
  `insert into books select i, '${userId}', 'Title ' || i, i % 900, now(), 1 + i % ${authorCount} from generate_series(1, ${bookCount}) i`,
  'create index on books (author_id)',
  'alter table books enable row level security',
  'create policy own on books using (owner = (select auth.uid()))',
  `create table notes (id bigint primary key generated always as identity, owner uuid not null, text text, stars int)`,
  'alter table notes enable row level security',
  'create policy own on notes using (owner = (select auth.uid())) with check (owner = (select auth.uid()))',
  'create table rows_of_files (id int, title text, pages int)',
  'vacuum analyze authors, books',
]

/** What the one user signs in as. */
export const claims = {
  role: 'authenticated',
  sub: userId,
  email: 'ada@example.com',
  aud: 'authenticated',
}

/** A request in the words of HTTP/1.1, its headers given without their end. */
export function httpRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): string {
  const all = {
    Host: 'localhost',
    Accept: '*/*',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

export const newNote = (): string =>
  JSON.stringify({ owner: userId, text: 'A note', stars: anyOf(5) })
