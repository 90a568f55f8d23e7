import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The chart, and what it is rendered with: each file of values has a rendering of the same name. */
export const chart = 'deploy/helm'
export const valuesFolder = 'checks/helm/values'
export const renderedFolder = 'checks/helm/rendered'
/** What renderings depend on beside the chart and the values. */
export const renderArguments = ['--namespace', 'plinth', '--kube-version', '1.33.0']

/** Changes with every file that a rendering is made of. */
export function digestOf(root, name) {
  const hash = createHash('sha256').update(renderArguments.join(' '))
  const add = (path) => hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  const files = readdirSync(join(root, chart), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length))
  for (const file of files.sort()) add(file)
  add(join(valuesFolder, `${name}.yaml`))
  return hash.digest('hex')
}
