import { useState } from 'react'
import { addOnVariant } from '#contract/billing/add-ons'
import { billing } from '#contract/billing/billing'
import { customDomainVariant } from '#contract/projects/domains'
import type { Project } from '#contract/projects/projects'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofAddOn } from './queries.ts'

const price = addOnVariant(customDomainVariant)?.price_description

type AddOnProps = { project: Project }

/** Custom hostnames where the add-on is off: what they are and cost. */
export function EnableAddOn({ project }: AddOnProps) {
  const { ref, organization_slug: organizationSlug } = project
  const [asking, setAsking] = useState(false)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const enable = useCall(billing.setAddOn, {
    changes: ofAddOn,
    onSuccess: () => toast.success('Custom domain is enabled'),
  })
  return (
    <Card
      title="Custom hostname"
      footer={
        <Button
          size="form"
          variant="primary"
          disabledReason={why(billing.setAddOn)}
          onClick={() => {
            enable.reset()
            setAsking(true)
          }}
        >
          Enable custom domain
        </Button>
      }
    >
      <div className="form-stack">
        <p>
          Apps reach this project at a hostname of yours, such as{' '}
          <span className="mono">api.example.com</span>. Emails, file URLs and the Connect dialog
          show it, and the default address keeps working.
        </p>
        <dl className="defs">
          <dt>Price</dt>
          <dd>{price}, charged for the time that it is enabled</dd>
          <dt>DNS</dt>
          <dd>A CNAME record and a TXT record at your DNS provider</dd>
        </dl>
      </div>
      {asking && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title="Enable custom domain"
          verb="Enable"
          danger={false}
          error={enable.error?.message}
          pending={enable.isPending}
          onConfirm={() =>
            enable.mutate({
              ref,
              addon_type: 'custom_domain',
              addon_variant: customDomainVariant,
            })
          }
        >
          <p>
            The add-on costs {price} for {project.name}, charged for the time that it is enabled.
            You can disable it again after you delete the hostname.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Ends what is paid, where there is no hostname. */
export function DisableAddOn({ project }: AddOnProps) {
  const { ref, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const disable = useCall(billing.removeAddOn, {
    changes: ofAddOn,
    onSuccess: () => toast.success('Custom domain is disabled'),
    onError: ({ message }) => toast.error(message),
  })
  return (
    <Button
      size="form"
      busy={disable.isPending}
      disabledReason={why(billing.removeAddOn)}
      onClick={() => disable.mutate({ ref, addon_variant: customDomainVariant })}
    >
      Disable add-on
    </Button>
  )
}
