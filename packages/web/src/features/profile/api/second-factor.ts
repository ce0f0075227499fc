import type {
  CodeBody,
  NewRecoveryCodesBody,
  ProposedSecondFactorAnswer,
  RecoveryCodesAnswer,
  SecondFactorAnswer,
  TurnOffSecondFactorBody,
} from '@siarin/contracts/second-factor'
import { queryOptions } from '@tanstack/react-query'
import { http } from '../../../lib/http.ts'
import { withProof } from '../../../lib/proof.ts'

const PATH = '/auth/second-factor'

export const secondFactorQuery = () =>
  queryOptions({
    queryKey: ['second-factor'],
    queryFn: async ({ signal }) => (await http.get<SecondFactorAnswer>(PATH, { signal })).data.data,
  })

/** What the app is to be given; it counts once a code has come back. */
export const proposeSecondFactor = async (): Promise<ProposedSecondFactorAnswer['data']> =>
  (await withProof(() => http.post<ProposedSecondFactorAnswer>(PATH))).data.data

/** Answers the recovery codes, which nobody sees again. */
export const confirmSecondFactor = async (body: CodeBody): Promise<string[]> =>
  (await http.post<RecoveryCodesAnswer>(`${PATH}/confirm`, body)).data.data.recoveryCodes

/** The same for new ones; the old ones no longer count. */
export const renewRecoveryCodes = async (body: NewRecoveryCodesBody): Promise<string[]> =>
  (await http.post<RecoveryCodesAnswer>(`${PATH}/codes`, body)).data.data.recoveryCodes

export const turnOffSecondFactor = async (body: TurnOffSecondFactorBody): Promise<string> =>
  (await http.post<{ message?: string }>(`${PATH}/off`, body)).data.message ?? ''
