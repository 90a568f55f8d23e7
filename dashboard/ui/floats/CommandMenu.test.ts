import { expect, test } from 'vitest'
import { sectionsOf } from './CommandMenu.tsx'

const command = (id: string, section: string, unlisted = false) => ({
  id,
  section,
  name: id,
  unlisted,
  run: () => undefined,
})

test('sections have an id, a name, commands and a place; what is not listed makes none', () => {
  const sections = sectionsOf([
    command('sign-out', 'Account'),
    command('ask', 'Assistant'),
    command('go.tables', 'Database'),
    command('hidden', 'Hidden', true),
    command('new', 'Actions'),
    command('pause', 'Actions'),
  ])
  expect(sections.map(({ id, forceMount }) => [id, forceMount])).toEqual([
    ['actions', false],
    ['database', false],
    ['account', false],
    ['assistant', true],
  ])
  expect(sections[0]?.commands.map(({ id }) => id)).toEqual(['new', 'pause'])
})
