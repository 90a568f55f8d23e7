import { gzipSync } from 'node:zlib'
import { pack, type Header } from 'tar-stream'
import { expect, test } from 'vitest'
import { ArchiveProblem, fetchArchive, filesIn, mostBytes, mostFiles } from './archive.ts'

type Entry = Partial<Header> & { name: string; text?: string }
async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack()
  for (const { text = '', ...header } of entries) tar.entry(header, text)
  tar.finalize()
  const parts: Buffer[] = []
  for await (const part of tar) parts.push(part as Buffer)
  return gzipSync(Buffer.concat(parts))
}
const paths = async (entries: readonly Entry[], folder = 'supabase') =>
  (await filesIn(await archiveOf(entries), folder)).map(({ path }) => path)

test('the files of a folder are found, at the top and below the folder that hosts make', async () => {
  const entries = [
    { name: 'books-a1/readme.md', text: 'a' },
    { name: 'books-a1/supabase/', type: 'directory' as const },
    { name: 'books-a1/supabase/migrations/1_a.sql', text: 'select 1' },
    { name: 'supabase/migrations/2_b.sql', text: 'select 2' },
    { name: 'books-a1/apps/supabase/migrations/3_c.sql', text: 'select 3' },
  ]
  expect(await paths(entries)).toEqual(['migrations/1_a.sql', 'migrations/2_b.sql'])
  expect(await paths(entries, 'apps/supabase')).toEqual(['migrations/3_c.sql'])
  expect(await paths(entries, 'elsewhere')).toEqual([])
  const [first] = await filesIn(await archiveOf(entries), 'supabase')
  expect(first?.content.toString()).toBe('select 1')
})

test('links and paths that climb lead nowhere', async () => {
  expect(
    await paths([
      { name: 'supabase/link.sql', type: 'symlink', linkname: '/etc/passwd' },
      { name: 'supabase/hard.sql', type: 'link', linkname: 'supabase/a.sql' },
      { name: 'supabase/../../etc/cron.d/x', text: 'x' },
      { name: 'supabase/fifo', type: 'fifo' },
      { name: '/supabase/absolute.sql', text: 'x' },
    ]),
  ).toEqual(['absolute.sql'])
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<html>Sign in</html>')],
  ['what is no archive inside', gzipSync('x'.repeat(5000))],
])('%s is no archive', async (_, bytes) => {
  await expect(filesIn(bytes, 'supabase')).rejects.toThrow(ArchiveProblem)
})

test('one that is cut off is refused', async () => {
  const whole = await archiveOf([{ name: 'supabase/a.sql', text: 'x'.repeat(100_000) }])
  await expect(filesIn(whole.subarray(0, whole.length - 20), 'supabase')).rejects.toThrow(
    'no tar.gz',
  )
})

test('a small archive that holds very much is not unpacked', async () => {
  const bomb = await archiveOf([
    { name: 'supabase/a', text: '\0'.repeat(mostBytes / 2) },
    { name: 'elsewhere/b', text: '\0'.repeat(mostBytes / 2 + 1) },
  ])
  expect(bomb.length).toBeLessThan(1_000_000)
  await expect(filesIn(bomb, 'supabase')).rejects.toThrow('larger than 100 MB')
})

test('too many files are refused', async () => {
  const many = Array.from({ length: mostFiles + 1 }, (_, n) => ({ name: `supabase/${n}` }))
  await expect(paths(many)).rejects.toThrow(`more than ${mostFiles} files`)
})

test('the commit is put into the address, and the token shown to that server', async () => {
  const asked: [string, unknown][] = []
  const place = { archiveUrl: 'https://git.example/a/{commit}.tar.gz', commit: 'abc' }
  const fetch = async (url: string, init?: RequestInit) => {
    asked.push([url, init?.headers])
    return new Response(url.includes('abc') ? 'bytes' : null)
  }
  expect((await fetchArchive(fetch, { ...place, token: 'secret' })).toString()).toBe('bytes')
  await fetchArchive(fetch, { ...place, token: null })
  expect(asked).toEqual([
    ['https://git.example/a/abc.tar.gz', { authorization: 'Bearer secret' }],
    ['https://git.example/a/abc.tar.gz', {}],
  ])
  const refusing = async () => new Response(null, { status: 404 })
  await expect(fetchArchive(refusing, { ...place, token: null })).rejects.toThrow('answered 404')
})
