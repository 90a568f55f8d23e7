import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '#kit/config'
import { openApi } from '#kit/http/openapi'
import { root } from '#kit/root'
import { managementEndpoints } from './api-page.ts'
import { generatedPages } from './pages.ts'
import { firstSettings, settingGroups } from './settings-guide.ts'

const fileOf = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

test.each(Object.entries(generatedPages()))(
  'docs/%s is what its code gives: npm run docs:write',
  (name, text) => {
    expect(fileOf(name)).toBe(text)
  },
)

test('the guide explains every setting of the schema once, and nothing else', () => {
  const explained = settingGroups.flatMap(({ settings }) => Object.keys(settings))
  expect(explained.toSorted()).toEqual([...settingNames].toSorted())
  expect(settingNames).toEqual(expect.arrayContaining([...firstSettings]))
})

test('the page of settings names each with its default', () => {
  const page = fileOf('settings.md')
  for (const name of settingNames) expect(page).toContain(`| \`${name}\` |`)
  expect(page).toContain('| `PORT` | `8000` |')
  expect(page).toContain('| `PLINTH_MODE` | `platform` |')
  expect(page).toMatch(/`PLINTH_MODE`.*One of `platform`, `self-hosted`/)
})

test('the page of the API has a section for each operation of the OpenAPI document', () => {
  const { paths } = openApi([...managementEndpoints], { title: '', version: '' })
  const page = fileOf('api.md')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\``),
  )
  expect(operations.length).toBeGreaterThan(80)
  for (const operation of operations) {
    const places = page
      .split('\n')
      .filter((line) => line === `### ${operation}` || line === `- ${operation}`)
    expect(places, operation).toHaveLength(1)
  }
})
