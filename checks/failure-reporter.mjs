// A reporter for the test runner: names each failed test when it fails, and what runs where nothing has ended for long. The
// runner's own names come with its summary, which a run that is cut off never reaches.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The longest a test may take: 180 s, and its file's beginning and end as much again. */
const quietMs = 10 * 60_000

// oxlint-disable-next-line import/no-default-export -- the test runner asks for it
export default class FailureReporter {
  #began = Date.now()
  #lastEnd = Date.now()
  /** Files by the moment at which they began. */
  #running = new Map()
  #timer

  onTestRunStart() {
    this.#timer = setInterval(() => this.#lookForHang(), 60_000)
    this.#timer.unref()
  }

  onTestModuleStart(module) {
    this.#running.set(module.moduleId, Date.now())
  }

  onTestModuleEnd(module) {
    this.#lastEnd = Date.now()
    this.#running.delete(module.moduleId)
    for (const error of module.errors()) this.#say(nameOf(module), error)
  }

  onTestSuiteResult(suite) {
    for (const error of suite.errors())
      this.#say(`${nameOf(suite.module)}: ${suite.fullName}`, error)
  }

  onTestCaseResult(test) {
    this.#lastEnd = Date.now()
    const { state, errors = [] } = test.result()
    if (state === 'failed') this.#say(`${nameOf(test.module)}: ${test.fullName}`, errors[0])
  }

  onTestRunEnd() {
    clearInterval(this.#timer)
  }

  #say(name, error) {
    const [reason = 'no reason'] = (error?.message ?? '').split('\n')
    this.#write(`failed: ${name}: ${reason.slice(0, 300)}`)
  }

  #lookForHang() {
    if (Date.now() - this.#lastEnd < quietMs) return
    this.#lastEnd = Date.now()
    const files = [...this.#running].map(([file, since]) => {
      return `${relative(root, file)} for ${Math.round((Date.now() - since) / 1000)} s`
    })
    this.#write(`nothing ended for ${quietMs / 60_000} minutes; running: ${files.join(', ')}`)
  }

  #write(line) {
    const minute = ((Date.now() - this.#began) / 60_000).toFixed(1)
    process.stdout.write(`\n[${minute} min] ${line}\n`)
  }
}

function nameOf(module) {
  return relative(root, module.moduleId)
}
