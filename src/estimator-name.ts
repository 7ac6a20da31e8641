/** Which figure decides: text features (`predictTokens`) or bytes/4 (`estimateRequest` with `media: 'modality'`). */
export type EstimatorName = 'features' | 'bytes';
