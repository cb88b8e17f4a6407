import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** An attacker without the hashes is throttled long before; with them, ten thousand million tries take bcrypt years. */
const MIN_GUESSES_LOG10 = 10;
/** Nothing else runs meanwhile, and with forty signs that stand for letters that is a third of a second. */
const JUDGED_CHARACTERS = 30;

let estimator: Promise<ZxcvbnFactory> | undefined;

export async function isGuessable(password: string): Promise<boolean> {
  estimator ??= loadEstimator();
  const { guessesLog10 } = (await estimator).check(password.slice(0, JUDGED_CHARACTERS));
  return guessesLog10 < MIN_GUESSES_LOG10;
}

/** Megabytes of dictionaries, for the few times somebody chooses a password. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common, portuguese] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-pt-br'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...portuguese.dictionary },
    graphs: common.adjacencyGraphs,
  });
}
