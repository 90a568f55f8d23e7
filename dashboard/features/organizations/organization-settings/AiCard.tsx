import { useState } from 'react'
import { aiOptInLevel, tagsOfLevel, type AiOptInLevel } from '#contract/organizations/ai-opt-in'
import { api } from '#contract/api'
import type { Organization } from '#contract/organizations/organizations'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Radio } from '../../../ui/controls/Radio.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import { useUpdate } from './use-update.ts'

const levels: { level: AiOptInLevel; label: string; help: string }[] = [
  {
    level: 'disabled',
    label: 'Nothing',
    help: 'The model sees what people type to the assistant, and nothing else.',
  },
  {
    level: 'schema',
    label: 'Schema',
    help: 'Also names and types of tables, columns and functions.',
  },
  {
    level: 'schema_and_log',
    label: 'Schema and logs',
    help: 'Also log lines, which may contain request data.',
  },
  {
    level: 'schema_and_log_and_data',
    label: 'Schema, logs and data',
    help: 'Also rows of tables.',
  },
]

/** What of its projects an organization lets the assistant's model see. */
export function AiCard({ organization }: { organization: Organization }) {
  const { slug, opt_in_tags: tags } = organization
  const saved = aiOptInLevel(tags)
  const [chosen, setChosen] = useState<AiOptInLevel>()
  const off = useDisabledFeatures()
  const level = chosen ?? saved
  const reason = useDenials({ organizationSlug: slug })(api.organizations.update)
  const save = useUpdate('Assistant setting saved', () => setChosen(undefined))
  return (
    <Form
      error={save.error?.message}
      pending={save.isPending}
      onSubmit={() => save.mutate({ slug, opt_in_tags: [...tagsOfLevel[level]] })}
      className="form-stack"
    >
      <Card
        title="Assistant"
        footer={
          <>
            <Button size="form" disabled={level === saved} onClick={() => setChosen(undefined)}>
              Cancel
            </Button>
            <Button
              type="submit"
              size="form"
              variant="primary"
              busy={save.isPending}
              disabled={level === saved}
              disabledReason={reason}
            >
              Save
            </Button>
          </>
        }
      >
        <RadioGroup
          label="What the assistant may send to its model"
          help="Applies to every project of this organization from the next message on."
        >
          {levels
            .filter((one) => one.level === saved || !off(`ai:opt_in_level_${one.level}`))
            .map((one) => (
              <Radio
                key={one.level}
                name="ai-opt-in"
                label={one.label}
                help={one.help}
                disabled={reason !== undefined}
                checked={level === one.level}
                onChange={() => setChosen(one.level)}
              />
            ))}
        </RadioGroup>
      </Card>
    </Form>
  )
}
