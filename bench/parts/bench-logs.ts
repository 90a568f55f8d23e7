import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createLogFiles,
  type LogFiles,
  type LogFilesOptions,
} from '#data-plane/logs/files/log-files'
import { createLog } from '#kit/log'
import { root } from '#kit/root'

/** The logs of a program of a bench, as the data plane has them, below a folder that the bench removes. */
export const benchLogs = (folder: string, limits: LogFilesOptions['limits'] = {}): LogFiles =>
  createLogFiles({
    limits,
    folder: mkdtempSync(join(folder, 'logs-')),
    log: createLog('bench', 'error'),
    engine: { program: join(root, 'dist/server/log-engine.js') },
  })

/** The folder below which programs of this bench keep their logs; those that it starts know it too. */
export const logsFolder = (): string =>
  (process.env['PLINTH_BENCH_LOGS'] ??= mkdtempSync(join(tmpdir(), 'plinth-bench-logs-')))
