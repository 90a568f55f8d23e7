import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStorage, type StoragePlane } from '../testing/storage/storage.ts'

let plane: StoragePlane
beforeAll(async () => {
  plane = await startStorage()
})
afterAll(() => plane.close())

const fill = async (first: number, last: number) => {
  await plane.sql(`insert into storage.objects (bucket_id, name)
    select 'open', 'f' || n % 20 || '/' || n || '.txt' from generate_series(${first}, ${last}) n`)
  await plane.sql('analyze storage.objects')
}

/** Pages that the server looks at for a list, once it has everything ready. */
async function pagesRead(): Promise<number> {
  const explain = `explain (analyze, buffers, format json)
    select * from storage.list_level('open', '', '/', '', 50)`
  await plane.sql(explain)
  const [row] = await plane.sql(explain)
  const [explained] = (row?.['QUERY PLAN'] ?? []) as { Plan: Record<string, number> }[]
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = explained?.Plan ?? {}
  return hit + read
}

test('a page of a level costs the same whatever lies in the bucket', async () => {
  await fill(1, 2000)
  const few = await pagesRead()
  await fill(2001, 60_000)
  const many = await pagesRead()
  // Thirty times as many names: a tree of one more level, not thirty times the pages.
  expect(many).toBeLessThan(few * 2)
  const { data } = await plane.service.from('open').list('', { limit: 50 })
  expect(data?.filter(({ id }) => id === null)).toHaveLength(20)
})
