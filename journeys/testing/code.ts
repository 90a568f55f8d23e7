import { expect } from 'vitest'
import type { Locator } from 'playwright-core'

/** Writes a text into a field that is a code editor, in place of what it holds, and leaves it. */
export async function writeCode(field: Locator, text: string): Promise<void> {
  const page = field.page()
  await field.focus()
  await page.keyboard.press('ControlOrMeta+a')
  // A bracket that is typed over a selection is put around it.
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
  // Without the focus nothing is suggested any more.
  await field.blur()
  await expect.poll(() => page.locator('.suggest-widget.visible').count()).toBe(0)
}

/** What a code editor shows, line by line. */
export async function codeIn(field: Locator): Promise<string> {
  const lines = field.locator('xpath=ancestor::*[contains(@class,"monaco-editor")][1]')
  return (await lines.locator('.view-lines').innerText()).replaceAll('\u00a0', ' ')
}
