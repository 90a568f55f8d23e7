import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { settingOf } from '#contract/auth/auth-config-keys'
import { Badge } from '../../../../ui/text/Badge.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { mailTemplates } from './mail-kinds.ts'
import { authConfigQuery } from '../queries.ts'
import '../auth-config.css'

/** /project/{ref}/auth/templates: the mails that the auth service sends. */
export function TemplatesPage({ projectRef }: { projectRef: string }) {
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  return (
    <Page width="form">
      <PageHead title="Email templates" help="Edit the emails that users receive from auth." />
      <Card padded={false}>
        <ul className="provider-list">
          {mailTemplates.map(({ kind, title, help, subject, content }) => (
            <li key={kind}>
              <Link
                className="provider-row tall"
                to="/project/$ref/auth/templates/$kind"
                params={{ ref: projectRef, kind }}
              >
                <span className="grow">
                  {title}
                  <span className="choice-help">{help}</span>
                </span>
                {[subject, content].some((key) => config[key] !== settingOf(key).default) && (
                  <Badge>Customized</Badge>
                )}
                <Icon of={ChevronRight} size="s" />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  )
}
