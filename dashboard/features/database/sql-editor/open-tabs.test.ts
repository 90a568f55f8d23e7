import { expect, test } from 'vitest'
import { createOpenTabs } from './open-tabs.ts'

const area = (start: Record<string, string> = {}) => {
  const map = new Map(Object.entries(start))
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
  }
}

test('tabs keep their order, names follow, and all come back after a reload', () => {
  const storage = area()
  const tabs = createOpenTabs(storage, 'p')
  tabs.show('a', 'A')
  tabs.show('b', 'B')
  tabs.show('a', 'A2')
  expect(createOpenTabs(storage, 'p').list()).toEqual([
    { id: 'a', name: 'A2' },
    { id: 'b', name: 'B' },
  ])
  expect(createOpenTabs(storage, 'other').list()).toEqual([])
})

test('closing goes to the right neighbour, at the end to the left one', () => {
  const tabs = createOpenTabs(area(), 'p')
  for (const id of ['a', 'b', 'c']) tabs.show(id, id)
  expect([tabs.close('b'), tabs.close('c'), tabs.close('a'), tabs.close('a')]).toEqual([
    'c',
    'a',
    undefined,
    undefined,
  ])
})

test.each(['{', '7', '[1,{"id":2}]'])('what is not ours in storage is ignored: %s', (text) => {
  expect(createOpenTabs(area({ 'plinth.sql-editor-tabs-p': text }), 'p').list()).toEqual([])
})

test('storage without room loses nothing but the tabs', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  const tabs = createOpenTabs(full, 'p')
  tabs.show('a', 'A')
  expect(tabs.list()).toHaveLength(1)
})
