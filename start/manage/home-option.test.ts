import { expect, test } from 'vitest'
import { takeHome } from './home-option.mjs'

test('the option is taken out wherever it stands, and nothing else', () => {
  expect(takeHome(['projects', 'list', '--json'])).toEqual({ rest: ['projects', 'list', '--json'] })
  for (const typed of [
    ['--home', '/srv/plinth', 'projects', 'list'],
    ['projects', '--home=/srv/plinth', 'list'],
    ['projects', 'list', '--home', '/srv/plinth'],
  ])
    expect(takeHome(typed)).toEqual({ home: '/srv/plinth', rest: ['projects', 'list'] })
})

test('a folder has to follow', () => {
  for (const typed of [
    ['up', '--home'],
    ['up', '--home='],
    ['up', '--home', '--json'],
  ])
    expect(takeHome(typed).problem).toBe('give a folder with --home FOLDER')
})
