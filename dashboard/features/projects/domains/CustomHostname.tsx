import { Link } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { buttonClass } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ActiveHostname } from './ActiveHostname.tsx'
import { EnableAddOn } from './EnableAddOn.tsx'
import { HostnameForm } from './HostnameForm.tsx'
import type { NamesProps } from './names-props.ts'
import { PendingHostname } from './PendingHostname.tsx'

/** The card of the custom hostname, by how far it has come. */
export function CustomHostname({ project, domains }: NamesProps) {
  const { custom, plan, target, add_on: isEnabled } = domains
  // What is there is shown, whatever has become of the plan or the installation since.
  if (custom?.status === 'active')
    return <ActiveHostname project={project} domains={domains} custom={custom} />
  if (custom && isEnabled && target !== null)
    // Another name begins anew.
    return (
      <PendingHostname
        key={custom.hostname}
        project={project}
        domains={domains}
        custom={custom}
        target={target}
      />
    )
  if (target === null)
    return (
      <Card title="Custom hostname" padded={false}>
        <EmptyState icon={Globe} title="This installation has no public hostname">
          A custom hostname points to a public hostname of the installation with a CNAME record. Its
          operator sets one with <span className="mono">PLINTH_CUSTOM_HOSTNAME_TARGET</span>.
        </EmptyState>
      </Card>
    )
  if (!plan.custom)
    return (
      <Card title="Custom hostname" padded={false}>
        <EmptyState
          icon={Globe}
          title="Custom hostnames need the Pro plan"
          action={
            <Link
              className={buttonClass({ variant: 'primary' })}
              to="/org/$slug/billing"
              params={{ slug: project.organization_slug }}
            >
              See plans
            </Link>
          }
        >
          With one, apps reach this project at an address such as{' '}
          <span className="mono">api.example.com</span>, and emails and file URLs show it.
        </EmptyState>
      </Card>
    )
  if (!isEnabled) return <EnableAddOn project={project} />
  return <HostnameForm project={project} domains={domains} />
}
