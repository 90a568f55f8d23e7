import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds seriously wrong with a page, one line for each rule; without `rules` it goes by all. A document is given
 * axe once however often it is looked at, and nothing is worked out for what is well: a look costs half of what it did.
 */
export async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const violations = await page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe }
    const results = await axe.run(document, {
      resultTypes: ['violations'],
      selectors: false,
      // What people wrote is shown in frames; it is theirs.
      iframes: false,
      ...(values ? { runOnly: { type: 'rule' as const, values } } : {}),
    })
    return results.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      found: nodes.map(({ html }) => html),
    }))
  }, rules)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, found }) => `${id}: ${found.join(' | ')}`)
}
