// Type-checks each part of the repository with the library types it runs with.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = ['server', 'dashboard', 'journeys', 'docs'].map((part) => `tsconfig.${part}.json`)
const failed = parts.filter((part) => {
  const { status } = spawnSync(
    process.execPath,
    [
      `${root}node_modules/typescript/bin/tsc`,
      '-p',
      part,
      // What has not changed since the last check is not read again.
      '--incremental',
      '--tsBuildInfoFile',
      `${root}node_modules/.cache/${part}.tsbuildinfo`,
    ],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  return status !== 0
})
process.exit(failed.length ? 1 : 0)
