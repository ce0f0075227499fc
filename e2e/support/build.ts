import { buildSiarin } from '@siarin/testkit/siarin-server'

/** Before the first test of a run. */
export default buildSiarin
