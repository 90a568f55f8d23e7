import { silentLog } from '#kit/log'
import type { CrashOperation } from './crash.ts'
import type { ProjectSpec } from '../provider.ts'
import { createLocalProvider } from '../local/local.ts'
import type { LocalOptions } from '../local/machine.ts'

/** The program that the fault tests kill: does one operation, up to the failpoint in its environment. */
const job: {
  options: LocalOptions
  operation: CrashOperation
  spec: ProjectSpec
  source: string
} = JSON.parse(process.argv[2] ?? '')
const provider = createLocalProvider({ ...job.options, log: silentLog })
if (job.operation === 'create') await provider.create(job.spec)
else if (job.operation === 'restore')
  await provider.backups?.restore(job.spec, { ref: job.spec.ref, id: '1' }, 'order')
else if (job.operation === 'masked copy')
  await provider.backups?.restore(job.spec, { ref: job.source, id: '1' }, 'order', {
    rows: true,
    masks: [{ schema: 'public', table: 't', column: 'word', kind: 'fixed', text: 'masked' }],
  })
else if (job.operation === 'resize')
  await provider.resize?.(job.spec.ref, { maxConnections: job.spec.limits.maxConnections + 20 })
else if (job.operation === 'make replica')
  await provider.replicas?.make({ ref: job.spec.ref, id: 'abcde' }, job.spec.passwords.admin)
else if (job.operation === 'drop replica')
  await provider.replicas?.drop({ ref: job.spec.ref, id: 'abcde' }, job.spec.passwords.admin)
else if (job.operation === 'promote replica')
  await provider.replicas?.promote({ ref: job.spec.ref, id: 'abcde' }, job.spec.passwords.admin, {
    order: 'order',
    force: false,
  })
else await provider.destroy(job.spec.ref)
await provider.close()
