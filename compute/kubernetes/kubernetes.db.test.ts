import { kubernetesSql } from '#start/tenants'
import { providerConformance } from '../testing/conformance.ts'
import { kubernetesHarness } from '../testing/kubernetes/harness.ts'
import { customerRole, superuser } from './objects.ts'

/** As the suite wants it of every place: new tables are granted at once, which projects here are unless they ask for it. */
const sql = kubernetesSql()
const granted = { ...sql, customerSql: `${sql.customerSql};\n${sql.grantedTablesSql}` }

providerConformance(
  'of a Kubernetes cluster',
  () => kubernetesHarness({ sql: granted, withBackups: true }),
  {
    names: { customer: customerRole, admin: superuser },
    without: [
      'sockets',
      'known superuser',
      'own ports',
      'dead until started',
      'wrappers',
      'one disk',
      'networks',
      'replicas',
    ],
  },
)
