import { ormGuides } from './guides-orm.ts'
import { GuideTab } from './GuideTab.tsx'
import { PasswordChoice } from './PasswordChoice.tsx'
import type { ServerChoice } from './use-server.ts'

export const OrmTab = (choice: ServerChoice) => (
  <>
    <PasswordChoice {...choice} />
    <GuideTab label="Tool" guides={ormGuides} project={choice.server} />
  </>
)
