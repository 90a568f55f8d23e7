import { expect, test } from 'vitest'
import { integrationAt, integrations } from './catalogue.ts'

test.each([
  ['/project/abc/integrations/cron', 'cron'],
  ['/project/abc/integrations/queues/about', 'queues'],
  ['/project/abc/integrations/about/vault', 'vault'],
  ['/project/abc/integrations', undefined],
  ['/project/abc/integrations/nonsense', undefined],
  ['/project/abc/database/cron', undefined],
])('%s is of %s', (pathname, id) => {
  expect(integrationAt(pathname)?.id).toBe(id)
})

test('no two have one address', () => {
  expect(new Set(integrations.map(({ id }) => id)).size).toBe(integrations.length)
  expect(new Set(integrations.map(({ page }) => page.path)).size).toBe(integrations.length)
})
