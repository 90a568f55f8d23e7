import { chromium } from 'playwright-core'
import { AxeBuilder } from '@axe-core/playwright'
export async function open() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] })
}
export async function shot(browser, base, path, { theme='dark', size=[1440,900], name, full=false, before, axe=true, storage } = {}) {
  const ctx = await browser.newContext({ viewport:{width:size[0],height:size[1]}, colorScheme: theme==='light'?'light':'dark', ...(storage?{storageState:storage}:{}) })
  await ctx.addInitScript(t => localStorage.setItem('plinth.theme', t), theme)
  const page = await ctx.newPage()
  const problems=[]
  page.on('console', m => { if (m.type()==='error'||m.type()==='warning') problems.push(m.text()) })
  page.on('pageerror', e => problems.push('PAGEERROR '+e.message))
  await page.goto(base+path); await page.waitForLoadState('networkidle'); await page.waitForTimeout(400)
  if (before) await before(page)
  await page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: full })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  let bad=[]
  if (axe) { const r = await new AxeBuilder({ page }).analyze(); bad = r.violations.map(v => `${v.impact} ${v.id} x${v.nodes.length}: ${v.nodes.slice(0,3).map(n=>n.target.join(' ')+' '+(n.any[0]?.message??n.all[0]?.message??n.none[0]?.message??'')).join(' | ')}`) }
  console.log(name, overflow?'OVERFLOW':'', problems.length?JSON.stringify([...new Set(problems)]):'', bad.join('\n   '))
  await ctx.close()
}
