import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { members as membersApi } from '#contract/organizations/members'
import { organizations } from '#contract/organizations/organizations'
import type { Member } from '#contract/organizations/members'
import type { Organization } from '#contract/organizations/organizations'
import { q } from '../../../api/client.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { useUpdate, shownFactorQuery } from './queries.ts'
import './organization-settings.css'

/** /org/{slug}/security */
export function SecurityPage({ slug }: { slug: string }) {
  const organization = useOrganization(slug)
  const members = useQuery(q(membersApi.list, { slug }))
  const { data: shown } = useQuery(shownFactorQuery)
  return (
    <Page width="form">
      <PageHead title="Security" help="Security requirements for members of this organization." />
      <div className="sections">
        <FactorCard organization={organization} members={members.data} shown={shown} />
      </div>
    </Page>
  )
}

type Props = {
  organization: Organization
  /** Undefined while they are not known. */
  members: readonly Member[] | undefined
  /** Whether this session has shown a second factor; undefined while it is not known. */
  shown: boolean | undefined
}

/** Asks everybody of the organization for a second factor, or no longer. */
function FactorCard({ organization, members, shown }: Props) {
  const { slug, organization_requires_mfa: required } = organization
  const why = useDenials({ organizationSlug: slug })
  const [asking, setAsking] = useState(false)
  const save = useUpdate(
    required ? 'A second factor is no longer required' : 'A second factor is required from now on',
    () => setAsking(false),
  )
  const lacking = members?.filter((member) => !member.mfa_enabled)
  const reason =
    why(organizations.update) ??
    (shown === false ? 'Sign in with your own second factor first' : undefined)
  return (
    <Card
      title="Two-factor authentication"
      end={
        <Status tone={required ? 'success' : 'off'}>{required ? 'Required' : 'Optional'}</Status>
      }
      padded={false}
    >
      <div className="set-row">
        <div className="grow">
          <span className="med">Require a second factor</span>
          <p>
            Members who have not signed in with one cannot see this organization or its projects
            until they do. Access tokens of people without one stop working here.
          </p>
          <p aria-live="polite">{lacking && countText(lacking.length, members?.length ?? 0)}</p>
        </div>
        <Button
          variant={required ? 'secondary' : 'primary'}
          disabledReason={reason}
          onClick={() => setAsking(true)}
        >
          {required ? 'Stop requiring' : 'Require second factor'}
        </Button>
      </div>
      {shown === false && (
        <div className="card-note">
          <Alert
            variant="info"
            title="Only people who use two-factor authentication can change this"
            action={
              <Link className="btn" to="/account/security">
                Set it up
              </Link>
            }
          >
            This prevents you from locking yourself out.
          </Alert>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          save.reset()
        }}
        danger={!required}
        title={required ? 'Stop requiring a second factor?' : 'Require a second factor?'}
        verb={required ? 'Stop requiring' : 'Require second factor'}
        error={save.error?.message}
        pending={save.isPending}
        onConfirm={() => save.mutate({ slug, organization_requires_mfa: !required })}
      >
        {required ? (
          <p>Members can sign in with their password alone.</p>
        ) : (
          <>
            <p>This takes effect at once, also for people who are signed in now.</p>
            {lacking && lacking.length > 0 && (
              <ul className="lost" aria-label="Members without a second factor">
                {lacking.slice(0, max).map((member) => (
                  <li key={member.gotrue_id}>{member.primary_email} is locked out until then</li>
                ))}
                {lacking.length > max && <li>and {lacking.length - max} more</li>}
              </ul>
            )}
          </>
        )}
      </ConfirmDialog>
    </Card>
  )
}

/** Names in the dialog; the rest is counted. */
const max = 5

function countText(lacking: number, all: number): string {
  if (lacking === 0) return all === 1 ? 'You have one.' : `All ${all} members have one.`
  return lacking === 1 ? `1 of ${all} members has none.` : `${lacking} of ${all} members have none.`
}
