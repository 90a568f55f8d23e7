import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { root } from '#kit/root'
import { keepTraces } from './traces.ts'
import { watchedLogs, watchedPages } from './watched.ts'

const slug = (text: string) =>
  text
    .replace(/\.test\.tsx?$/, '')
    .replaceAll(/[^\w-]+/g, '-')
    .slice(0, 80)

/** The beginning of what a page shows: enough to see what stood there instead. */
const first = (text: string) => text.replaceAll(/\n{2,}/g, '\n').slice(0, 1500)

const lastLines = (lines: readonly string[], title: string): string[] =>
  lines.length === 0 ? [] : [title, ...lines.slice(-15).map((line) => line.slice(0, 300))]

/**
 * Keeps what one needs to understand a failure, in a folder of its own that the failure's message names: for each page a
 * picture, its text and what its console said, the traces, and what the platforms have said. The message itself says the
 * beginning: from a machine that runs the tests for others, often nothing but the output can be had.
 */
export async function keepWhatFailed(
  file: string,
  test: string,
  errors: { message: string; stack?: string }[],
): Promise<void> {
  const folder = join(root, 'test-output/failed', `${slug(basename(file))}-${slug(test)}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const told = errors.map(({ message, stack }) => `${message}\n\n${stack ?? ''}`)
  writeFileSync(join(folder, 'failure.txt'), told.join('\n\n'))
  const lost: string[] = []
  const seen: string[] = []
  for (const [index, { page, console }] of watchedPages().entries()) {
    const name = join(folder, `page-${index + 1}`)
    try {
      // A page that hangs must not keep the others from being told of.
      await page.screenshot({ path: `${name}.png`, timeout: 5000 })
      const text = await page.locator('body').innerText({ timeout: 5000 })
      writeFileSync(`${name}.txt`, [page.url(), '', text, '', 'Console:', ...console].join('\n'))
      seen.push(`${page.url()} showed:`, first(text), ...lastLines(console, 'Its console:'))
    } catch (error) {
      lost.push(`page ${index + 1} (${page.url()}): ${String(error)}`)
      writeFileSync(`${name}.txt`, [page.url(), '', 'Console:', ...console].join('\n'))
    }
  }
  await keepTraces((index) => join(folder, `trace-${index + 1}.zip`)).catch((error: unknown) =>
    lost.push(`traces: ${String(error)}`),
  )
  for (const [index, log] of watchedLogs().entries()) {
    if (!existsSync(log)) continue
    copyFileSync(log, join(folder, `platform-${index + 1}.log`))
    seen.push(
      ...lastLines(readFileSync(log, 'utf8').trimEnd().split('\n'), 'The platform said last:'),
    )
  }
  if (lost.length > 0) writeFileSync(join(folder, 'lost.txt'), lost.join('\n'))
  for (const error of errors)
    error.message += `\n\nWhat it left: ${relative(root, folder)} (pages, consoles, traces, the platform's log)\n\n${seen.join('\n')}`
}
