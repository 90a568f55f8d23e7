import { expect, test } from 'vitest'
import { circles } from './circles.ts'
import { readSources } from './sources.ts'

test('no files import each other', () => {
  expect(circles(readSources())).toEqual([])
})

test('circles are found, however long', () => {
  const file = (name: string, ...to: string[]) => ({
    path: `kit/${name}.ts`,
    text: to.map((one) => `import { x } from '${one}'`).join('\n'),
  })
  const line = [file('a', './b.ts'), file('b', './c.ts', '#kit/d'), file('c', './d.ts'), file('d')]
  expect(circles(line)).toEqual([])
  expect(circles([...line, file('e', './f.ts'), file('f', '#kit/e')])).toEqual([['kit/e', 'kit/f']])
  expect(circles([...line.slice(0, 3), file('d', './b.ts')])).toEqual([['kit/b', 'kit/c', 'kit/d']])
})
