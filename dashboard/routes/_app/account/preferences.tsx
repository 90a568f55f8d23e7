import { createFileRoute } from '@tanstack/react-router'
import { PreferencesPage } from '../../../features/people/account/PreferencesPage.tsx'

export const Route = createFileRoute('/_app/account/preferences')({
  staticData: { title: 'Preferences' },
  component: PreferencesPage,
})
