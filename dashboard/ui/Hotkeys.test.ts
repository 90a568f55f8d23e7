import { expect, test } from 'vitest'
import type { Command } from './floats/commands.ts'
import { createHotkeys, type Press } from './Hotkeys.tsx'

const press = (key: string, over: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...over,
})
const command = (id: string, keys: string, everywhere = false): Command => ({
  id,
  section: 'Test',
  name: id,
  keys,
  everywhere,
  run: () => {},
})
const commands = [
  command('menu', 'mod+k', true),
  command('home', 'g h'),
  command('new', 'c'),
  command('help', '?'),
]
const hotkeys = (mac = false) => {
  const match = createHotkeys(() => commands, mac)
  return (of: Press, occupied = false, now = 0) => {
    const found = match(of, occupied, now)
    return typeof found === 'object' ? found.id : found
  }
}

test('Ctrl elsewhere, Command on a Mac, also while typing', () => {
  expect(hotkeys()(press('k', { ctrlKey: true }), true)).toBe('menu')
  expect(hotkeys(true)(press('k', { metaKey: true }), true)).toBe('menu')
  expect(hotkeys(true)(press('k', { ctrlKey: true }))).toBeUndefined()
})

test('plain keys do nothing while typing', () => {
  expect(hotkeys()(press('c'), true)).toBeUndefined()
  expect(hotkeys()(press('g'), true)).toBeUndefined()
})

test('a sequence within a second', () => {
  const match = hotkeys()
  expect(match(press('g'), false, 0)).toBe('waiting')
  expect(match(press('h'), false, 900)).toBe('home')
  expect(match(press('g'), false, 2000)).toBe('waiting')
  expect(match(press('h'), false, 3100)).toBeUndefined()
})

test('a wrong second key ends the sequence and counts for itself', () => {
  const match = hotkeys()
  match(press('g'), false, 0)
  expect(match(press('c'), false, 100)).toBe('new')
  expect(match(press('h'), false, 200)).toBeUndefined()
})

test('a shifted sign is matched by what it types, other modifiers by nothing', () => {
  expect(hotkeys()(press('?', { shiftKey: true }))).toBe('help')
  expect(hotkeys()(press('c', { altKey: true }))).toBeUndefined()
  expect(hotkeys()(press('c', { metaKey: true }))).toBeUndefined()
})
