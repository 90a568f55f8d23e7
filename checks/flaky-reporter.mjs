/** Names at the end what passed only when it was tried again: it is a race, in the test or in the product, and to be mended. */
// oxlint-disable-next-line import/no-default-export -- the test runner asks for one
export default class FlakyReporter {
  #names = []

  onTestCaseResult(testCase) {
    if (testCase.diagnostic()?.flaky) {
      this.#names.push(`${testCase.module.relativeModuleId}: ${testCase.fullName}`)
    }
  }

  onTestRunEnd() {
    for (const name of this.#names) process.stdout.write(`passed at the second try: ${name}\n`)
  }
}
