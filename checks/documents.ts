import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from '#kit/root'
import { rooms, type Source } from './sources.ts'

const atRoot = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** Every Markdown file that a stranger may read. */
export function readDocuments(): Source[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file))
  return [...atRoot, ...docs].map((path) => ({ path, text: readText(path) }))
}

const readText = (path: string) => readFileSync(join(root, path), 'utf8')

/** Blocks of code show other files, and links in them are none. */
const withoutBlocks = (text: string) => text.replace(/^```[^]*?^```/gm, '')

/** The anchors of a page as GitHub and the site both make them: letters, digits and hyphens. */
export function anchorsOf(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Links to files that are not there, or to headings that a page does not have. */
export function brokenLinks({ path, text }: Source): string[] {
  const links = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
  return links
    .filter((to) => !/^(?:[a-z]+:|<)/i.test(to))
    .filter((to) => {
      const [file = '', anchor] = to.split('#')
      const target = file === '' ? path : normalize(join(dirname(path), file))
      if (!existsSync(join(root, target))) return true
      // The site puts something before a digit.
      return (
        anchor !== undefined &&
        (/^\d/.test(anchor) || !anchorsOf(readText(target)).includes(anchor))
      )
    })
    .map((to) => `${path}: ${to}`)
}

/** Of text in a document: `npm run NAME` and its short forms that package.json has no script for. */
export function unknownScripts({ path, text }: Source, scripts: readonly string[]): string[] {
  const named = [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b(?!:))/g)]
  return named
    .flatMap(([, run, short]) => run ?? short ?? [])
    .filter((name) => !scripts.includes(name))
    .map((name) => `${path}: npm run ${name}`)
}

/** `npx plinth ...` that is not a command. */
export function unknownCommands({ path, text }: Source, commands: readonly string[]): string[] {
  const said = [...text.matchAll(/\bnpx plinth((?: [a-z]+\b(?![-./=:]))+)/g)].map(
    ([, typed = '']) => typed.trim(),
  )
  return (
    said
      .filter((typed) => !commands.some((one) => `${typed} `.startsWith(`${one} `)))
      // A family of commands, such as `npx plinth orphans`.
      .filter((typed) => !commands.some((one) => one.startsWith(`${typed} `)))
      .map((typed) => `${path}: npx plinth ${typed}`)
  )
}

/** Variables called like settings that nothing reads. */
export function unknownSettings({ path, text }: Source, known: ReadonlySet<string>): string[] {
  const named = [...text.matchAll(/\bPLINTH_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name)
  return named.filter((name) => !known.has(name)).map((name) => `${path}: ${name}`)
}

const folders = [...rooms, 'deploy'].join('|')
const pathLike = new RegExp(`^(?:${folders})/[\\w./$*{},-]+$`)

/** Paths of the repository in backticks that lead nowhere. A name without its ending counts: compatibility.md has such. */
export function missingPaths({ path, text }: Source): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\s]+)`/g)]
    .map(([, named = '']) => named)
    .filter((named) => pathLike.test(named))
    .filter((named) => !isThere(named.replace(/\/$/, '')))
    .map((named) => `${path}: ${named}`)
}

function isThere(named: string): boolean {
  if (/[*{]/.test(named)) return isPatternOfFiles(named)
  const folder = join(root, dirname(named))
  if (existsSync(join(root, named))) return true
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false
  return readdirSync(folder).some((file) => join(dirname(named), file).startsWith(`${named}.`))
}

/** `*` is any part of a name, `{a,b}` one of several. Each of these has to lead somewhere. */
function isPatternOfFiles(pattern: string): boolean {
  const choice = /^(.*)\{([^}]*)\}(.*)$/.exec(pattern)
  if (choice) {
    const [, before = '', options = '', after = ''] = choice
    return options.split(',').every((option) => isThere(`${before}${option}${after}`))
  }
  const matching = new RegExp(
    `^${pattern.replace(/[.$+]/g, '\\$&').replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'))}`,
  )
  const room = pattern.split('/')[0] ?? ''
  const files = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
  return files.some((file) => matching.test(join(room, file)))
}

/** Words that two rows of the table define: each as it stands in the first column, with what it is in parentheses. */
export function definedTwice(text: string): string[] {
  const rows = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, words = '']) => words)
  const words = rows
    .filter((row) => row !== 'word' && !/^-+$/.test(row))
    .flatMap((row) => {
      const kind = /\(([^)]*)\)/.exec(row)?.[0] ?? ''
      return row
        .replace(/\([^)]*\)/g, '')
        .split(',')
        .map((word) => `${word.trim()} ${kind}`.trim())
    })
  return words.filter((word, index) => words.indexOf(word) !== index)
}
