import { availableParallelism, totalmem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const rooms =
  '{contract,kit,control-plane,data-plane,compute,dashboard,start,checks,docs,journeys,bench}'

/**
 * Each worker has servers, and for the journeys a platform and a browser: two gigabytes. A third of its time it waits for
 * them, so there is one more than there are cores.
 */
const workers = Math.max(1, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 2 ** 31)))

/** What takes longest begins first: at the end it would run alone, with nothing beside it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/(?:table-grid|sql-editor|faults|restore-faults|crash\.db|rounds\.db)\.test\.ts$/.test(
        moduleId,
      )
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * Three kinds of test by file name. `*.test.ts(x)` is fast and touches nothing outside the process;
 * `*.db.test.ts` needs the throw-away Postgres that the set-up starts; journeys open a real browser.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'fast',
          sequence: { groupOrder: 0 },
          include: [`${rooms}/**/*.test.{ts,tsx}`],
          exclude: ['**/*.db.test.ts', 'journeys/**', '**/node_modules/**'],
          // They touch nothing outside themselves, and a process of its own for each would take longer than all of them.
          isolate: false,
          maxWorkers: availableParallelism(),
          // Properties of a thousand runs take their time on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'db',
          sequence: { groupOrder: 1 },
          include: [`${rooms}/**/*.db.test.ts`],
          exclude: ['journeys/**', '**/node_modules/**'],
          globalSetup: ['kit/testing/global-setup.ts'],
          // A limit ends what hangs, and says nothing of speed: a machine with much else to do is several times as slow.
          testTimeout: 120_000,
          hookTimeout: 180_000,
          maxWorkers: workers,
          expect: { poll: { timeout: 30_000 } },
          // Each brings its own server or database, and ends the jobs it runs: they need no process of their own, which takes half as long again.
          isolate: false,
        },
      },
      {
        test: {
          name: 'journeys',
          // Last: browsers and whole platforms need the machine for themselves.
          sequence: { groupOrder: 2 },
          include: ['journeys/**/*.test.{ts,tsx}'],
          globalSetup: ['journeys/testing/global-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A browser on a busy machine takes its time; what never comes still fails.
          expect: { poll: { timeout: 60_000 } },
          setupFiles: ['journeys/testing/setup.ts'],
          // The browser and what is read of the libraries serve all journeys of a worker.
          isolate: false,
          maxWorkers: workers,
        },
      },
    ],
  },
})
