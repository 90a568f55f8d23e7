import { useState } from 'react'
import { domains as api } from '#contract/projects/domains'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { NamesProps } from './names-props.ts'
import { DisableAddOn } from './EnableAddOn.tsx'
import { useChangeNames } from './queries.ts'

/** The first step: which hostname. */
export function HostnameForm({ project }: NamesProps) {
  const { ref, organization_slug: organizationSlug } = project
  const [hostname, setHostname] = useState('')
  const why = useDenials({ organizationSlug, projectRef: ref })
  const initialize = useChangeNames(api.initialize, ref)
  const denied = why(api.initialize)
  return (
    <Form
      error={undefined}
      pending={initialize.isPending}
      onSubmit={() => {
        if (hostname.trim() !== '' && !denied) initialize.mutate({ ref, hostname })
      }}
    >
      <Card
        title="Custom hostname"
        footer={
          <>
            <DisableAddOn project={project} />
            <Button
              type="submit"
              size="form"
              variant="primary"
              busy={initialize.isPending}
              disabled={hostname.trim() === ''}
              disabledReason={denied}
            >
              Add hostname
            </Button>
          </>
        }
      >
        <TextField
          label="Hostname"
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="api.example.com"
          help="Use a subdomain: most DNS providers allow no CNAME record at the top of a domain."
          error={initialize.error?.message}
          disabled={denied !== undefined}
          value={hostname}
          onChange={(event) => {
            initialize.reset()
            setHostname(event.target.value)
          }}
        />
      </Card>
    </Form>
  )
}
