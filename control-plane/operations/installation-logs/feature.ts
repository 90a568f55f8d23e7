import { existsSync } from 'node:fs'
import { installationLogs as api } from '#contract/operations/installation-logs'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { createLogPages } from './pages.ts'

/** What the programs of the installation write, for its operators. */
export function installationLogsFeature({ installation }: Platform) {
  const folder = installation?.logs
  const pages = folder === undefined ? undefined : createLogPages(folder)
  return {
    routes: [
      implement(api.page, async (question) =>
        pages && folder !== undefined && existsSync(folder)
          ? pages.page(question)
          : { entries: [], older: null, newer: '1.0', absent: nowhere },
      ),
    ],
  }
}

const nowhere =
  'The programs of this installation were started one by one, so their logs are where their standard output goes.'
